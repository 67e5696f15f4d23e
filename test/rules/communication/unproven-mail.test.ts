import { describe, expect, test } from 'vitest'
import {
  mostByMembers,
  mostUnproven,
  usableBy,
  usableByNewcomers,
  usableToReceiver,
} from '../../../src/shared/communication/notifications/unproven-mail.rules.ts'

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

describe('the part of a daily limit that mails can use', () => {
  test.for([
    ['owed', 200, 200, 20],
    ['caused', 200, 175, 20],
    ['billed', 200, 175, 20],
    ['charge', 200, 175, 20],
    ['usual', 200, 150, 15],
    ['asked', 200, 150, 15],
    ['usual', 1, 1, 15],
  ] as const)('%s of %i', ([reason, most, usable, toReceiver]) => {
    expect(usableBy(reason, most)).toBe(usable)
    expect(usableToReceiver(reason, 20)).toBe(toReceiver)
  })

  test('newcomers cause half of the usual mails to one address, and a quarter of the others', () => {
    expect(usableByNewcomers('usual', 20)).toBe(10)
    expect(usableByNewcomers('caused', 20)).toBe(5)
    expect(usableByNewcomers('billed', 20)).toBe(5)
    expect(usableByNewcomers('charge', 20)).toBe(5)
  })

  test('students and renters cause at most half of it, five eighths with cancellations', () => {
    expect(mostByMembers('usual', 2_000, 1)).toEqual({ ofMember: 200, together: 1_000, ofNewcomers: 500 })
    expect(mostByMembers('caused', 2_000, 1)).toEqual({ ofMember: 200, together: 1_250, ofNewcomers: 625 })
    expect(mostByMembers('charge', 2_000, 1)).toEqual({ ofMember: 200, together: 1_250, ofNewcomers: 625 })
    expect(mostByMembers('usual', 4_000, 2)).toEqual({ ofMember: 400, together: 2_000, ofNewcomers: 1_000 })
  })
})
