import type { Message } from './message.rules.ts'

/** The facts of a resource for its messages. */
export interface ResourceTemplateData {
  id: number
  name: string
  groundedReason: string | null
}

/**
 * Returns the message about a grounding, to the admins and the people with current or future bookings of the resource.
 */
export function resourceGrounded({ id, name, groundedReason }: ResourceTemplateData): Message {
  return compose(id, `${name} is grounded`, [
    groundedReason ? `Reason: ${groundedReason}` : 'No reason was given.',
    'Its bookings are on hold until it returns to service.',
  ])
}

/**
 * Returns the message about a return to service, to the admins and the people with current or future bookings of the
 * resource.
 */
export function resourceReturned({ id, name }: ResourceTemplateData): Message {
  return compose(id, `${name} is back in service`, [`${name} can be flown again.`])
}

/** Returns the message to instructors about what names the make and model of an aircraft in endorsements. */
export function endorsedAsChanged({ id, name, endorsedAs }: ResourceTemplateData & { endorsedAs: string[] }): Message {
  return compose(id, `The make and model of ${name} changed: please check endorsements`, [
    `Its make and model is now: ${endorsedAs.join(', ') || 'not recorded'}.`,
    'Solo endorsements and logged hours count for it only when they name one of these.',
  ])
}

function compose(resourceId: number, title: string, sentences: string[]): Message {
  return { title, body: sentences.join(' · '), data: { resourceId }, mail: { paragraphs: sentences, action: null } }
}
