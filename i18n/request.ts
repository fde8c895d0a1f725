import { getRequestConfig } from "next-intl/server";
import failed from "#messages/en.failure.json";
import words from "#messages/en.json";

// What a page says that failed in the browser lies in a file of its own: whatever is imported there is sent there, whole.
const messages = { ...words, problems: { ...words.problems, failed } };

export default getRequestConfig(async () => ({ locale: "en", messages, timeZone: "UTC" }));
