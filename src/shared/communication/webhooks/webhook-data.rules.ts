/**
 * The fields that are null in every webhook payload: contact details, notes and reasons that people wrote, who corrected signed
 * figures and who objects, and URLs that give access to something.
 */
const untold: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'notes',
  'remarks',
  'reason',
  'endReason',
  'voidReason',
  'amendReason',
  'note',
  'correctedAfterSigning',
  'payUrl',
  'pdfUrl',
  'meetingUrl',
  'meetingError',
  'url',
])

/**
 * Returns a record for the payload of a webhook: as an admin reads it, but with the fields of `untold` set to null. The
 * reason of a grounding is also null when a person grounded the record.
 * Implements docs/decisions/0018.
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

/** Returns a URL with its query replaced by `***`, because many receivers put a token there. */
export function maskedUrl(url: string): string {
  return url.replace(/\?.*$/, '?***')
}
