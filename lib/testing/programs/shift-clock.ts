// To be loaded before a program (`node --import`): its clock goes CLOCK_SHIFT_MS before, or with a minus behind, the machine's.

const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts: ConstructorParameters<typeof Date> | []) {
    super(...((parts.length === 0 ? [RealDate.now() + shiftMs] : parts) as ConstructorParameters<typeof Date>));
  }

  // Its own, not inherited: Next makes a Date of what a Date has itself.
  static override UTC = RealDate.UTC;
  static override parse = RealDate.parse;

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
} as DateConstructor;
