/**
 * Why a mail was given up: its address wants none from the organization, the address or the organization has had its mails
 * of the day, the mail server refused it, or it was tried for hours.
 */
export const undeliveredReasons = [
  'unsubscribed',
  'address_limit',
  'organization_limit',
  'refused',
  'not_delivered',
] as const

export type UndeliveredReason = (typeof undeliveredReasons)[number]

/** What a record says of its latest mail when that was given up; the instant is text, as JSON has it. */
export interface Undelivered {
  reason: UndeliveredReason
  givenUpAt: string
}
