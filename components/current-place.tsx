"use client";

import { useEffect, useRef } from "react";

// The upper part of the window, where people read.
const READ_PART = "0px 0px -75% 0px";

/** Marks, in the list of a page's parts that it stands in, the part being read. Without JavaScript none is marked. */
export function CurrentPlace() {
  const place = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const links = [...(place.current?.parentElement?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? [])];
    const inSight = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) isIntersecting ? inSight.add(target) : inSight.delete(target);
        // Parts lie within others: the one that begins last is meant.
        const [current] = [...inSight].sort((one, other) => other.getBoundingClientRect().top - one.getBoundingClientRect().top);
        // Above the first part begins the page.
        if (current) mark(links, current.id);
        else if (!links.some((link) => link.ariaCurrent)) mark(links, links[0]?.hash.slice(1) ?? "");
      },
      { rootMargin: READ_PART },
    );
    for (const { hash } of links) {
      const part = document.getElementById(hash.slice(1));
      if (part) observer.observe(part);
    }
    return () => observer.disconnect();
  }, []);

  return <span ref={place} hidden />;
}

function mark(links: HTMLAnchorElement[], id: string): void {
  for (const link of links) {
    if (link.hash !== `#${id}`) link.removeAttribute("aria-current");
    else if (!link.ariaCurrent) {
      link.setAttribute("aria-current", "location");
      // A long list scrolls along, where it is on show.
      link.scrollIntoView({ block: "nearest" });
    }
  }
}
