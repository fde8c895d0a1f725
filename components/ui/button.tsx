import type { ButtonHTMLAttributes } from "react";
import { type ButtonKind, buttonStyle } from "./button-style.ts";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "className"> & { kind?: ButtonKind };

/** A button that does something on the page; what sends a form is a `SubmitButton`. */
export function Button({ kind = "primary", ...button }: ButtonProps) {
  return <button type="button" className={buttonStyle(kind)} {...button} />;
}
