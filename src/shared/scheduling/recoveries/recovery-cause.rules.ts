import { spanInWords } from '../../communication/notifications/templates/when.rules.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** What the cause of a recovery names. */
export interface NamedCause {
  resources: readonly NamedResource[]
  /** `away`: the first time off of the instructor in the window; null without one. */
  instructors: readonly { name: string; away: Interval | null }[]
  /** The reason of its closure; null without one. */
  closure: string | null
  /** Whether no record bears it. */
  asserted: boolean
  /** The zone in which times are told. */
  zone: string
}

/**
 * A resource with the record that holds it. `maintenance`: the title of the maintenance that is booked with the plan; `grounding`: why somebody
 * grounded it; `deferral`: the title of a deferred squawk that limits it. Each is null without one.
 */
export interface NamedResource {
  name: string
  maintenance: string | null
  grounding: string | null
  deferral: string | null
}

/** Returns the sentences that name a cause, by kind and record; null when there is nothing to name. */
export function wordsOfCause({ resources, instructors, closure, asserted, zone }: NamedCause): string | null {
  const sentences = [
    ...resources.map((resource) => wordsOfResource(resource, asserted)),
    ...instructors.map(({ name, away }) =>
      away === null ? `${name} is away.` : `${name} is away: ${spanInWords(away.start, away.end, zone)}.`,
    ),
    ...(closure === null ? [] : [closure === '' ? 'The school is closed.' : `Closed: ${ended(closure)}`]),
  ]
  if (sentences.length === 0) return null
  const words = sentences.join(' ')
  return asserted ? `The desk says: ${words}` : words
}

function wordsOfResource({ name, maintenance, grounding, deferral }: NamedResource, asserted: boolean): string {
  if (maintenance !== null) return `${name} is in maintenance: ${ended(maintenance)}`
  if (grounding !== null) return grounding === '' ? `${name} is grounded.` : `${name} is grounded: ${ended(grounding)}`
  // What the desk alone says does not follow from the squawk.
  if (deferral !== null && !asserted) return `${name} has a deferred squawk: ${ended(deferral)}`
  return `${name} cannot be used.`
}

/** Returns a reason with the full stop that its writer may have left out. */
function ended(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}
