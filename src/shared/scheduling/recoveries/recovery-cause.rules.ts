/** What the cause of a recovery names. */
export interface NamedCause {
  /** `grounding`: why somebody grounded it; null when nobody did. */
  resources: readonly { name: string; grounding: string | null }[]
  instructors: readonly string[]
  /** The reason of its closure; null without one. */
  closure: string | null
  /** Whether no record bears it. */
  asserted: boolean
}

/** Returns the sentences that name a cause, by kind and record; null when there is nothing to name. */
export function wordsOfCause({ resources, instructors, closure, asserted }: NamedCause): string | null {
  const grounded = ({ name, grounding }: NamedCause['resources'][number]) => {
    if (grounding === null) return `${name} cannot be used.`
    return grounding === '' ? `${name} is grounded.` : `${name} is grounded: ${ended(grounding)}`
  }
  const sentences = [
    ...resources.map(grounded),
    ...instructors.map((name) => `${name} is away.`),
    ...(closure === null ? [] : [closure === '' ? 'The school is closed.' : `Closed: ${ended(closure)}`]),
  ]
  if (sentences.length === 0) return null
  const words = sentences.join(' ')
  return asserted ? `The desk says: ${words}` : words
}

/** Returns a reason with the full stop that its writer may have left out. */
function ended(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}
