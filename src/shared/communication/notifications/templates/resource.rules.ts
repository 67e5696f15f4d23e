import type { Message } from './message.rules.ts'

/** A resource as its templates need it. */
export interface ResourceTemplateData {
  id: number
  name: string
  groundedReason: string | null
}

/** To the admins and those booked on it from now on. */
export function resourceGrounded({ id, name, groundedReason }: ResourceTemplateData): Message {
  return compose(id, `${name} is grounded`, [
    groundedReason ? `Reason: ${groundedReason}` : 'No reason was given.',
    'Bookings on it wait until it returns to service.',
  ])
}

/** To the admins and those booked on it from now on. */
export function resourceReturned({ id, name }: ResourceTemplateData): Message {
  return compose(id, `${name} is back in service`, [`${name} can be flown again.`])
}

function compose(resourceId: number, title: string, sentences: string[]): Message {
  return { title, body: sentences.join(' · '), data: { resourceId }, mail: { paragraphs: sentences, action: null } }
}
