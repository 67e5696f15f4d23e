/**
 * Preloaded into a process (`NODE_OPTIONS=--import …`), shifts its clock by `CLOCK_SHIFT_MS` milliseconds, and by
 * `CLOCK_JUMP_MS` more once it receives SIGUSR2.
 */
let shift = Number(process.env.CLOCK_SHIFT_MS ?? 0)
process.on('SIGUSR2', () => {
  shift += Number(process.env.CLOCK_JUMP_MS)
})
const TrueDate = Date

globalThis.Date = class extends TrueDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [TrueDate.now() + shift] : given) as [number]))
  }
  static override now(): number {
    return TrueDate.now() + shift
  }
} as DateConstructor
