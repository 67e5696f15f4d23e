/**
 * Fields that no webhook payload contains: contact details, notes and reasons in somebody's own words, and addresses that open
 * something. They are null, so that the shape stays.
 */
const untold: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'notes',
  'remarks',
  'reason',
  'endReason',
  'amendReason',
  'payUrl',
  'pdfUrl',
  'meetingUrl',
  'meetingError',
  'url',
])

/**
 * Returns a record for a webhook's payload: as an admin reads it, with the fields above null. The reason of a grounding
 * stays when the service gave it.
 * Implements interface §12 outbound webhooks.
 */
export function webhookData(record: unknown): unknown {
  if (Array.isArray(record)) return record.map(webhookData)
  if (typeof record !== 'object' || record === null) return record
  const byPerson = 'groundedBy' in record && record.groundedBy === 'person'
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => {
      const hidden = untold.has(key) || (byPerson && key === 'groundedReason')
      return [key, hidden ? null : webhookData(value)]
    }),
  )
}

/**
 * Masks the query of an address, where many receivers expect a token.
 * Implements interface §12 outbound webhooks.
 */
export function maskedUrl(url: string): string {
  return url.replace(/\?.*$/, '?***')
}
