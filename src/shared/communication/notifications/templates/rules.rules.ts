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
