/** Preloaded into a process (`NODE_OPTIONS=--import …`), shifts its clock by `CLOCK_SHIFT_MS` milliseconds. */
const shift = Number(process.env.CLOCK_SHIFT_MS)
const TrueDate = Date

globalThis.Date = class extends TrueDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [TrueDate.now() + shift] : given) as [number]))
  }
  static override now(): number {
    return TrueDate.now() + shift
  }
} as DateConstructor
