import type { Message } from './message.rules.ts'

/** A booking rule that was changed so that it no longer blocks bookings. */
export interface LoweredRule {
  /** The title of the rule, or the name of the currency. */
  title: string
  by: string
  /** The new enforcement; null when the rule was deleted. */
  enforcement: 'warn' | 'off' | null
}

const now = { warn: 'now only warns', off: 'is turned off' } as const

/**
 * Returns the message to all owners about a rule that no longer blocks bookings. The owner who changed it gets it too.
 */
export function ruleLowered({ title, by, enforcement }: LoweredRule): Message {
  const what = enforcement === null ? 'is deleted' : now[enforcement]
  const sentences = [`${by} changed the rule “${title}”: it ${what}.`, 'It no longer refuses bookings.']
  return {
    title: `A booking rule ${what}: ${title}`,
    body: sentences.join(' '),
    data: {},
    mail: { paragraphs: sentences, action: null },
  }
}

/** A booking rule that was overridden, as one line of the mail. */
export interface OverriddenRule {
  reservationId: number
  booking: string
  rule: string
  person: string | null
  by: string
  self: boolean
}

/** The most overrides that one mail lists. */
const LISTED = 50

/**
 * Returns the message to owners and admins that lists the overrides since the last such mail. It does not include the
 * reasons, which are stored with the bookings.
 */
export function rulesOverridden({ overrides }: { overrides: readonly OverriddenRule[] }): Message {
  const count = overrides.length
  const lines = overrides.slice(0, LISTED).map(({ booking, rule, person, by, self }) => {
    const whom = self ? ', about themselves' : person === null ? '' : `, for ${person}`
    return `${booking}: ${rule}${whom}, by ${by}`
  })
  const more = count > LISTED ? [`And ${count - LISTED} more.`] : []
  return {
    title: count === 1 ? 'A booking rule was overridden' : `${count} booking rules were overridden`,
    body: [...lines, ...more].join(' · '),
    data: { reservationIds: [...new Set(overrides.map(({ reservationId }) => reservationId))] },
    mail: { paragraphs: ['Overrides since the previous mail of this kind:', ...lines, ...more], action: null },
  }
}
