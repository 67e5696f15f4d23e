/** The seconds after which a drill begins nothing more; it ends within eight minutes then. */
const SECONDS = Number(process.env.DRILL_SECONDS ?? 400)

const from = performance.now()
const said = new Set<string>()

/** Returns whether there is time to begin something; otherwise says what is not done. */
export function hasTimeFor(what: string): boolean {
  const seconds = (performance.now() - from) / 1_000
  if (seconds < SECONDS) return true
  if (!said.has(what)) process.stdout.write(`not done, since ${seconds.toFixed(0)} s are over: ${what}\n`)
  said.add(what)
  return false
}
