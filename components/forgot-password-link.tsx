"use client";

import type { MouseEvent } from "react";
import { useFormState } from "./ui/form.tsx";
import { STANDALONE } from "./ui/link.tsx";

type ForgotPasswordLinkProps = { email?: string; text: string };

/** Leads to asking for a new password, with the address that was typed into the form around it: as sent, or, with JavaScript, as it stands. */
export function ForgotPasswordLink({ email = "", text }: ForgotPasswordLinkProps) {
  const { values } = useFormState();
  const takeAddressAlong = ({ currentTarget }: MouseEvent<HTMLAnchorElement>) => {
    const field = currentTarget.closest("form")?.querySelector<HTMLInputElement>("input[name=email]");
    if (field) currentTarget.href = addressFor(field.value);
  };
  return (
    <a href={addressFor(values?.email ?? email)} onClick={takeAddressAlong} className={`${STANDALONE} -my-1 justify-self-start text-sm`}>
      {text}
    </a>
  );
}

function addressFor(email: string): string {
  return email.trim() ? `/reset-password?${new URLSearchParams({ email: email.trim() })}` : "/reset-password";
}
