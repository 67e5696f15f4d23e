/**
 * Shifts the clock of a process by `CLOCK_SHIFT_MS` milliseconds, and by `CLOCK_JUMP_MS` more at each SIGUSR2. It is
 * preloaded with `NODE_OPTIONS=--import …`.
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
