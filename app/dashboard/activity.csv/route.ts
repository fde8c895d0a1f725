import { csvRow } from "#lib/csv";
import { endpoint, readQuery } from "#lib/http";
import { getStatistics, STATISTIC_COLUMNS, STATISTICS } from "#server/statistics";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The dashboard's figures by day, `?days=7`, `30` or `90`, as a table for a spreadsheet: the oldest day first, in the site's time zone. 200 as CSV (RFC 4180). */
  GET: async (request, { viewer }) => {
    const { dates, figures } = await getStatistics(viewer, readQuery(request));
    const rows = dates.map((date, day) => [date, ...STATISTICS.map((statistic) => figures[statistic].counts[day] ?? 0)]);
    const csv = [["day", ...STATISTICS.map((statistic) => STATISTIC_COLUMNS[statistic])], ...rows].map(csvRow).join("");
    const name = `activity-${dates[0]}-to-${dates.at(-1)}.csv`;
    return new Response(csv, { headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}"` } });
  },
});
