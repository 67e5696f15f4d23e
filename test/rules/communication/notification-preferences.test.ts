import { describe, expect, test } from 'vitest'
import { notificationKinds } from '../../../src/shared/communication/notifications/notification-kinds.rules.ts'
import { defaultChannels, preferencesOf } from '../../../src/shared/communication/notifications/preferences.rules.ts'

describe('notification preferences (§Notifications)', () => {
  test('are one row for every kind, in the order of the kinds, but for those that go with another', () => {
    const others = ['reservations_changed', 'confirmed_on_behalf']
    const kinds = notificationKinds.filter((kind) => !others.includes(kind))
    expect(preferencesOf([]).map((row) => row.kind)).toEqual(kinds)
  })

  test('are what the member said, and the default otherwise', () => {
    const said = { kind: 'invoice_paid', inApp: false, push: false, email: true } as const
    const rows = preferencesOf([said])
    expect(rows.find((row) => row.kind === 'invoice_paid')).toEqual(said)
    expect(rows.find((row) => row.kind === 'invoice_raised')).toEqual({
      kind: 'invoice_raised',
      ...defaultChannels.invoice_raised,
    })
  })

  test('notify about everything in the app until the member says otherwise', () => {
    expect(Object.values(defaultChannels).every((ways) => ways.inApp)).toBe(true)
  })

  test('mail by default what costs money or concerns a booked day', () => {
    for (const kind of ['reservation_cancelled', 'invoice_raised', 'invoice_reminder'] as const) {
      expect(defaultChannels[kind].email).toBe(true)
    }
  })
})
