import { variableNames } from './config.ts'
import { secretNames } from './secret-files.ts'

const known: ReadonlySet<string> = new Set([...variableNames, ...secretNames.map((name) => `${name}_FILE`)])

/** The shortest name that is compared. Shorter names are too similar to each other. */
const SHORTEST = 7

/**
 * Returns one line per variable that is probably a mistake: a name that is almost the name of a known variable, or a secret
 * that is set both directly and with a file. The lines have the names of variables, not their values.
 */
export function configWarnings(env: Record<string, string | undefined>): string[] {
  const given = Object.keys(env).filter((name) => env[name])
  const misspelt = given.flatMap((name) => {
    const meant = known.has(name) ? undefined : nearest(name)
    return meant ? [`${name} is not read: is ${meant} meant?`] : []
  })
  const twice = secretNames.filter((name) => env[name] && env[`${name}_FILE`])
  return [...misspelt, ...twice.map((name) => `${name} is set, so ${name}_FILE is not read`)]
}

function nearest(name: string): string | undefined {
  const upper = name.toUpperCase()
  return [...known].find(
    (candidate) => candidate.length >= SHORTEST && distance(upper, candidate) <= (candidate.length < 10 ? 1 : 2),
  )
}

/**
 * Returns how many characters must be changed, added or removed to turn one text into the other (Levenshtein distance).
 * Infinity when the lengths differ by more than two.
 */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(change, previous[j]! + 1, row[j - 1]! + 1)
    }
    previous = row
  }
  return previous[b.length]!
}
