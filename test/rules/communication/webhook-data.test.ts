import { describe, expect, test } from 'vitest'
import { webhookData } from '../../../src/shared/communication/webhooks/webhook-data.rules.ts'

describe('the data of webhooks (decision 18)', () => {
  test('a webhook tells a record without contact details, notes, reasons and links, in the shape that it has', () => {
    const record = {
      id: 7,
      notes: 'has the flu',
      cancellation: { reason: 'ill', category: 'personal', by: { orgUserId: 3, name: 'Ann Lee' } },
      guest: { id: 4, name: 'Gil', email: 'gil@example.com', phone: '+1' },
      invoices: [{ id: 9, totalCents: 100, payUrl: 'https://pay.example/9', pdfUrl: null }],
      meetingUrl: 'https://zoom.example/1',
      amendReason: 'was unwell that day',
      correctedAfterSigning: { by: { orgUserId: 5 }, objections: [{ orgUserId: 3, closingReason: 'See the photo' }] },
      bookings: [{ note: 'It was 1.4 h' }],
      start: '2026-11-21T12:00:00.000Z',
    }
    expect(webhookData(record)).toEqual({
      id: 7,
      notes: null,
      cancellation: { reason: null, category: 'personal', by: { orgUserId: 3, name: 'Ann Lee' } },
      guest: { id: 4, name: 'Gil', email: null, phone: null },
      invoices: [{ id: 9, totalCents: 100, payUrl: null, pdfUrl: null }],
      meetingUrl: null,
      amendReason: null,
      correctedAfterSigning: null,
      bookings: [{ note: null }],
      start: '2026-11-21T12:00:00.000Z',
    })
  })

  test('the reason of a grounding is told when the service gave it, and not when a person did', () => {
    expect(webhookData({ groundedBy: 'person', groundedReason: 'bent by Bo' })).toMatchObject({ groundedReason: null })
    const bySystem = { groundedBy: 'system', groundedReason: '100-hour inspection is due' }
    expect(webhookData(bySystem)).toEqual(bySystem)
  })
})
