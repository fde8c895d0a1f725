import type { ReactNode } from "react";
import { Card } from "#components/ui/card";

type DangerCardProps = {
  /** The anchor of its section. */
  id: string;
  title: string;
  /** What happens to whom, before there is a button to press. */
  text: ReactNode;
  /** The way to do it, or to undo it. */
  children?: ReactNode;
};

/** At the foot of a page: something that takes a thing or a person's access away. */
export function DangerCard({ id, title, text, children }: DangerCardProps) {
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="grid justify-items-start gap-4">
          <div className="grid gap-1.5">
            <h2 id={id} className="font-semibold text-xl">
              {title}
            </h2>
            <p className="max-w-prose text-muted">{text}</p>
          </div>
          {children}
        </div>
      </Card>
    </section>
  );
}
