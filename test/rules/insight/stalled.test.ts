import { describe, expect, test } from 'vitest'
import { type StalledFacts, stallOf, toldStall } from '../../../src/shared/insight/reports/stalled.rules.ts'

const now = new Date('2026-11-27T18:00:00Z')
/** Ten in the morning of 27 November there. */
const zone = 'America/Los_Angeles'
const at = (text: string) => new Date(text)

/** Nothing is wrong but that the student has not completed a lesson. */
const quiet: StalledFacts = {
  enrollmentId: 5,
  orgUserId: 9,
  payerId: 9,
  lastOn: '2026-11-01',
  nextLesson: { isSolo: false },
  testPlanned: false,
  medicalUntil: '2027-05-31',
  medicalCurrencyId: 3,
  soloUntil: null,
  overdueInvoice: null,
  short: null,
  booked: true,
  lastBookedAt: at('2026-11-01T20:00:00Z'),
  cancelled: [],
  repeating: null,
  instructorGone: null,
  unsigned: null,
}
const solo = { nextLesson: { isSolo: true } }
const weather = (day: string) => ({ category: 'weather', at: at(`${day}T20:00:00Z`) })
const aircraft = (day: string) => ({ category: 'maintenance', at: at(`${day}T20:00:00Z`) })

/** What is known besides, and the cause with the day of its fact and its request. */
const cases: [string, Partial<StalledFacts>, string, string | null, string][] = [
  ['nothing', {}, 'silence', '2026-11-01', 'GET /orgUsers/9'],
  [
    'a medical that ended yesterday, before a solo',
    { ...solo, medicalUntil: '2026-11-26' },
    'medical',
    '2026-11-27',
    'PUT /orgUsers/9/currencies/3',
  ],
  [
    'a medical that ends today, before a solo',
    { ...solo, medicalUntil: '2026-11-27' },
    'silence',
    '2026-11-01',
    'GET /orgUsers/9',
  ],
  [
    'a medical that ended, before a dual lesson',
    { medicalUntil: '2026-10-31' },
    'silence',
    '2026-11-01',
    'GET /orgUsers/9',
  ],
  [
    'a medical that ended, before a test',
    { testPlanned: true, medicalUntil: '2026-10-31' },
    'medical',
    '2026-11-01',
    'PUT /orgUsers/9/currencies/3',
  ],
  ['no medical, before a solo', { ...solo, medicalUntil: null }, 'medical', null, 'PUT /orgUsers/9/currencies/3'],
  [
    'no medical in a school without that currency',
    { ...solo, medicalUntil: null, medicalCurrencyId: null },
    'medical',
    null,
    'GET /orgUsers/9/currencies',
  ],
  [
    'a medical whose end is not known',
    { ...solo, medicalUntil: 'unknown' },
    'silence',
    '2026-11-01',
    'GET /orgUsers/9',
  ],
  [
    'a solo endorsement that ended',
    { ...solo, soloUntil: at('2026-11-20T20:00:00Z') },
    'endorsement_ended',
    '2026-11-20',
    'POST /training/endorsements',
  ],
  [
    'a solo endorsement that ends at this instant',
    { ...solo, soloUntil: now },
    'endorsement_ended',
    '2026-11-27',
    'POST /training/endorsements',
  ],
  [
    'a solo endorsement that ended, before a dual lesson',
    { soloUntil: at('2026-11-20T20:00:00Z') },
    'silence',
    '2026-11-01',
    'GET /orgUsers/9',
  ],
  [
    'an invoice that is overdue',
    { overdueInvoice: { id: 7, dueAt: at('2026-11-10T07:30:00Z') } },
    'balance',
    '2026-11-09',
    'POST /invoices/7/remind',
  ],
  [
    'a ledger below the least balance',
    { short: { at: at('2026-11-12T20:00:00Z') } },
    'balance',
    '2026-11-12',
    'POST /orgUsers/9/ledger',
  ],
  [
    'a bill-to payer whose ledger is below it',
    { short: { at: null }, payerId: 4 },
    'balance',
    null,
    'POST /orgUsers/4/ledger',
  ],
  ['no booking ahead', { booked: false }, 'no_booking', '2026-11-01', 'POST /reservations'],
  [
    'no booking ever',
    { booked: false, lastBookedAt: null, lastOn: '2026-09-30' },
    'no_booking',
    '2026-09-30',
    'POST /reservations',
  ],
  ['one cancelled booking', { cancelled: [weather('2026-11-20')] }, 'silence', '2026-11-01', 'GET /orgUsers/9'],
  [
    'two cancelled bookings of two causes',
    { cancelled: [weather('2026-11-18'), aircraft('2026-11-20')] },
    'cancelled:maintenance',
    '2026-11-20',
    'POST /waitlist',
  ],
  [
    'three cancelled bookings',
    { cancelled: [aircraft('2026-11-21'), weather('2026-11-18'), weather('2026-11-20')] },
    'cancelled:weather',
    '2026-11-18',
    'POST /waitlist',
  ],
  [
    'a lesson with three records without a pass',
    { repeating: { lessonId: 4, records: 3, at: at('2026-11-02T20:00:00Z') } },
    'repeating:4',
    '2026-11-02',
    'GET /training/enrollments/5',
  ],
  [
    'a lesson with two records without a pass',
    { repeating: { lessonId: 4, records: 2, at: at('2026-11-02T20:00:00Z') } },
    'silence',
    '2026-11-01',
    'GET /orgUsers/9',
  ],
  [
    'an instructor who left',
    { instructorGone: { at: at('2026-11-15T20:00:00Z') } },
    'instructor_gone',
    '2026-11-15',
    'PATCH /training/enrollments/5',
  ],
  [
    'an instructor who is none any more',
    { instructorGone: { at: null } },
    'instructor_gone',
    null,
    'PATCH /training/enrollments/5',
  ],
  [
    'a record that the instructor has not signed',
    { unsigned: { recordId: 8, at: at('2026-11-01T20:00:00Z'), by: 'instructor' } },
    'waiting_for_signature',
    '2026-11-01',
    'POST /training/records/8/sign',
  ],
  [
    'a record that the student has not signed',
    { unsigned: { recordId: 8, at: at('2026-11-01T20:00:00Z'), by: 'student' } },
    'waiting_for_signature',
    '2026-11-01',
    'POST /training/records/8/countersign',
  ],
  [
    'a record of a student without an account',
    { unsigned: { recordId: 8, at: at('2026-11-01T20:00:00Z'), by: 'nobody' } },
    'waiting_for_signature',
    '2026-11-01',
    'POST /organizations/invite',
  ],
  ['all lessons done', { nextLesson: null }, 'waiting_for_test', '2026-11-01', 'PATCH /training/enrollments/5'],
]

describe('why a student is stalled (§33.1)', () => {
  test.for(cases)('with %s', ([, more, cause, since, action]) => {
    const stall = stallOf({ ...quiet, ...more }, { now, zone })
    expect({ ...stall, action: `${stall.action.method} ${stall.action.path}` }).toEqual({ cause, since, action })
  })

  test('is the first cause that fits, in the order of the interface', () => {
    const order: [string, Partial<StalledFacts>][] = [
      ['medical', { ...solo, medicalUntil: null }],
      ['endorsement_ended', { ...solo, soloUntil: at('2026-11-20T20:00:00Z') }],
      ['balance', { short: { at: now } }],
      ['no_booking', { booked: false }],
      ['cancelled:weather', { cancelled: [weather('2026-11-18'), weather('2026-11-20')] }],
      ['repeating:4', { repeating: { lessonId: 4, records: 3, at: now } }],
      ['instructor_gone', { instructorGone: { at: null } }],
      ['waiting_for_signature', { unsigned: { recordId: 8, at: now, by: 'student' } }],
    ]
    for (const [place, [cause]] of order.entries()) {
      const facts: StalledFacts = Object.assign({}, quiet, ...order.slice(place).map(([, more]) => more))
      expect(stallOf(facts, { now, zone }).cause).toBe(cause)
    }
  })

  test.for([
    ['medical', { papers: true, money: false }, 'medical'],
    ['medical', { papers: false, money: true }, 'papers'],
    ['endorsement_ended', { papers: false, money: false }, 'papers'],
    ['balance', { papers: true, money: false }, 'account_matter'],
    ['balance', { papers: false, money: true }, 'balance'],
    ['no_booking', { papers: false, money: false }, 'no_booking'],
  ] as const)('%s is told to who may know %j as %s', ([cause, told, as]) => {
    const stall = { cause, since: '2026-11-01', action: { method: 'POST', path: '/invoices/7/remind' } } as const
    const said = toldStall(stall, told, 5)
    expect(said.cause).toBe(as)
    if (as !== cause)
      expect(said).toEqual({ cause: as, since: null, action: { method: 'GET', path: '/training/enrollments/5' } })
  })
})
