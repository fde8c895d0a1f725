/** What a cell can hold. */
type Cell = string | number | Date | null;

// A spreadsheet that takes semicolons for separators, as German ones do, begins a cell behind each that a text holds, and a row behind each line break.
const FORMULA = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])\s*)|^(?=[\t\r\n])/g;
const NEEDS_QUOTES = /[",;\s]/;
/** Without it Excel takes UTF-8 for an older encoding. */
const BYTE_ORDER_MARK = "\uFEFF";

/** One row of a table (RFC 4180). A text that a spreadsheet would run as a formula has an apostrophe before it; times are ISO 8601. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(written).join(",")}\r\n`;
}

/**
 * A table to be downloaded under the given name, sent some rows at a time, as fast as they are fetched and no faster than they are read.
 * What the first rows throw is thrown here, when the answer can still say so.
 */
export async function csvDownload(fileName: string, head: readonly string[], batches: AsyncGenerator<readonly Cell[][]>): Promise<Response> {
  const encoder = new TextEncoder();
  const encoded = (rows: readonly (readonly Cell[])[]) => encoder.encode(rows.map(csvRow).join(""));
  let batch = await batches.next();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvRow(head))),
    async pull(controller) {
      if (batch.done) return controller.close();
      controller.enqueue(encoded(batch.value));
      batch = await batches.next();
    },
    cancel: async () => void (await batches.return(undefined)),
  });
  return new Response(body, { headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${fileName}"` } });
}

function written(cell: Cell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === "number") return String(cell);
  const text = cell.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
