/** The word for the subject of a job, by the field of its payload. The first field that the payload has is used. */
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
 * (<kind>)". It contains ids and the organization's name, never names of people. The title of a failed job that is
 * tried again starts with the number of failures, because the dashboard lists it among the jobs that wait for a later
 * time.
 * @param organizationNames the names of organizations by their ids
 * @param failures how often the job failed
 */
export function jobTitle(
  kind: string,
  payload: Readonly<Record<string, unknown>>,
  organizationNames: ReadonlyMap<number, string>,
  failures = 0,
): string {
  const key = Object.keys(subjects).find((name) => payload[name] !== undefined && payload[name] !== null)
  const subject = key === undefined ? null : `${subjects[key]} ${String(payload[key])}`
  const id = payload.organizationId
  const organization = typeof id === 'number' ? (organizationNames.get(id) ?? `organization ${id}`) : null
  const words = [subject, organization].filter((part) => part !== null).join(', ')
  const title = words === '' ? kind : `${words} (${kind})`
  return failures === 0 ? title : `Failed ${failures === 1 ? 'once' : `${failures} times`}: ${title}`
}
