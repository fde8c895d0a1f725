import { expect, test } from "vitest";
import { renderLetter } from "./render.tsx";
test("x", async () => { const r = await renderLetter("confirm-address", { name: "Ada", link: "https://feedback.example.com/confirm-address?token=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789" }, { title: "Nimbus <b>&co", url: "https://feedback.example.com" }); console.log(r.subject+"\n"+r.text+"\n"+r.html); expect(1).toBe(1);
 await import("node:fs").then(f=>f.writeFileSync("/tmp/letter.html", r.html)); });
