/**
 * Fields that no webhook tells: contact details, notes and reasons in somebody's own words, and addresses that open
 * something. They are null, so that the shape stays.
 */
const untold: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'notes',
  'remarks',
  'reason',
  'endReason',
  'payUrl',
  'pdfUrl',
  'meetingUrl',
  'meetingError',
  'url',
])

/**
 * Returns a record as webhooks tell it: as an admin reads it, without the fields that leave the organization's hands with
 * it. The reason of a grounding stays when the service gave it.
 */
export function toldToWebhooks(record: unknown): unknown {
  if (Array.isArray(record)) return record.map(toldToWebhooks)
  if (typeof record !== 'object' || record === null) return record
  const byPerson = 'groundedBy' in record && record.groundedBy === 'person'
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => {
      const hidden = untold.has(key) || (byPerson && key === 'groundedReason')
      return [key, hidden ? null : toldToWebhooks(value)]
    }),
  )
}

/** Masks the query of an address, where many receivers expect a token. */
export function maskedUrl(url: string): string {
  return url.replace(/\?.*$/, '?***')
}
