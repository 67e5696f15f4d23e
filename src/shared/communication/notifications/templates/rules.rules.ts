import type { Message } from './message.rules.ts'

/** A rule of booking that no longer blocks. */
export interface LoweredRule {
  /** Its title; of a currency the name. */
  title: string
  by: string
  /** How it is enforced now; null when it was deleted. */
  enforcement: 'warn' | 'off' | null
}

const now = { warn: 'now only warns', off: 'is switched off' } as const

/** To the owners, whoever did it: bookings are no longer refused by this rule. */
export function ruleLowered({ title, by, enforcement }: LoweredRule): Message {
  const what = enforcement === null ? 'is deleted' : now[enforcement]
  const sentences = [`${by} changed the rule “${title}”: it ${what}.`, 'Bookings are no longer refused by it.']
  return {
    title: `A rule of booking ${what}: ${title}`,
    body: sentences.join(' '),
    data: {},
    mail: { paragraphs: sentences, action: null },
  }
}

/** An override as the digest names it. */
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

/** To owners and admins: what was overridden the day before. The reasons stand in the bookings. */
export function rulesOverridden({ overrides }: { overrides: readonly OverriddenRule[] }): Message {
  const count = overrides.length
  const lines = overrides.slice(0, LISTED).map(({ booking, rule, person, by, self }) => {
    const whom = self ? ', about themselves' : person === null ? '' : `, for ${person}`
    return `${booking}: ${rule}${whom}, by ${by}`
  })
  const more = count > LISTED ? [`And ${count - LISTED} more.`] : []
  return {
    title: count === 1 ? 'A rule of booking was overridden' : `${count} rules of booking were overridden`,
    body: [...lines, ...more].join(' · '),
    data: { reservationIds: [...new Set(overrides.map(({ reservationId }) => reservationId))] },
    mail: { paragraphs: ['Since the last of these mails:', ...lines, ...more], action: null },
  }
}
