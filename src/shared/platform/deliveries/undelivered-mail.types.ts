/**
 * Why a mail was given up. `unsubscribed`: the address does not accept mails of the organization. `address_limit`,
 * `organization_limit`: the address or the organization reached its number of mails per day. `refused`: the mail server
 * refused the mail. `not_delivered`: all attempts failed, for hours.
 */
export const undeliveredReasons = [
  'unsubscribed',
  'address_limit',
  'organization_limit',
  'refused',
  'not_delivered',
] as const

export type UndeliveredReason = (typeof undeliveredReasons)[number]

/** The latest mail about a record, when that mail was given up. `givenUpAt` is text, as in the JSON of the database. */
export interface Undelivered {
  reason: UndeliveredReason
  givenUpAt: string
}
