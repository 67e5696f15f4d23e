/** The names of subjects by the field of a payload, the most informative first. */
const subjects: Record<string, string> = {
  invoiceId: 'Invoice',
  bookingRequestId: 'Booking request',
  invitationId: 'Invitation',
  joinRequestId: 'Join request',
  announcementId: 'Announcement',
  deliveryId: 'Delivery',
  endpointId: 'Webhook',
  eventId: 'Event',
  mailTokenId: 'Mailed link',
  orgUserId: 'Member',
  guestId: 'Guest',
  accountId: 'Account',
}

/**
 * Returns the title of a job for the operators: subject, organization and kind, such as "Invoice 4, Bay Flight Academy
 * (<kind>)". It contains ids and the organization's name, never the names of people.
 * @param organizationNames the names of organizations by their ids
 */
export function jobTitle(
  kind: string,
  payload: Readonly<Record<string, unknown>>,
  organizationNames: ReadonlyMap<number, string>,
): string {
  const key = Object.keys(subjects).find((name) => payload[name] !== undefined && payload[name] !== null)
  const subject = key === undefined ? null : `${subjects[key]} ${String(payload[key])}`
  const id = payload.organizationId
  const organization = typeof id === 'number' ? (organizationNames.get(id) ?? `organization ${id}`) : null
  const words = [subject, organization].filter((part) => part !== null).join(', ')
  return words === '' ? kind : `${words} (${kind})`
}
