"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { Form, type FormState, StateOfForm } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";

/** Fields as they are after a try that brought `state`. */
export function AfterTry({ state, children }: { state: FormState; children: ReactNode }) {
  return <StateOfForm value={state}>{children}</StateOfForm>;
}

/** A form that refuses whatever it is sent: its summary, and what is said at each field. */
export function RefusingForm({ names, words }: { names: string[]; words: { label: string; error: string; wrong: string; action: string } }) {
  const refuse = async (_: FormState, form: FormData): Promise<FormState> => ({
    error: words.wrong,
    fieldErrors: Object.fromEntries(names.map((name) => [name, words.error])),
    values: Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? "")])),
  });
  return (
    <Form action={refuse}>
      {names.map((name) => (
        <Field key={name} name={name} label={words.label} />
      ))}
      <div>
        <SubmitButton>{words.action}</SubmitButton>
      </div>
    </Form>
  );
}

/** A button that opens a dialog. */
export function DialogButton({ words, children }: { words: { open: string; title: string; close: string }; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      {isOpen && (
        <Dialog title={words.title} close={words.close} onClose={() => setOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  );
}

/** A part that speaks up or takes the focus as soon as it is there: shown when asked for. */
export function OnDemand({ show, children }: { show: string; children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return children;
  return (
    <Button kind="secondary" onClick={() => setShown(true)}>
      {show}
    </Button>
  );
}
