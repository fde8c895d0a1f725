/** The first boards on offer; their words are in `messages/`, `setup.templates`. */
export const BOARD_TEMPLATES = [
  { template: "features", color: "2563eb" },
  { template: "bugs", color: "be123c" },
  { template: "ideas", color: "7c3aed" },
] as const;
