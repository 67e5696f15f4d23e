import { describe, expect, test } from 'vitest'
import { mostUnproven } from '../../../src/shared/communication/notifications/unproven-mail.rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

describe('mails a day to addresses that never confirmed anything', () => {
  test.for([
    ['of a new organization', daysAgo(1), false, 1, 3, 200],
    ['of a new one that takes payments', daysAgo(30), true, 1, 3, 200],
    ['of an old one that takes none', daysAgo(400), false, 1, 3, 200],
    ['of one that takes payments for more than thirty days', daysAgo(31), true, 1, 3, 2_000],
    ['where the operator doubles the limits', daysAgo(31), true, 2, 6, 4_000],
    ['where the operator makes them small', daysAgo(1), false, 0.1, 1, 20],
  ] as const)('%s', ([, createdAt, takesPayments, factor, toAddress, ofOrganization]) => {
    expect(mostUnproven({ createdAt, takesPayments }, now, factor)).toEqual({ toAddress, ofOrganization })
  })
})
