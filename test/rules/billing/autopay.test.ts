import { describe, expect, test } from 'vitest'
import {
  type ChargeFacts,
  cardToCharge,
  decideCharge,
  nextAttemptAt,
  whenCharged,
} from '../../../src/shared/billing/autopay/autopay.rules.ts'
import {
  type AttemptEnd,
  afterAttempt,
  type ChargeState,
  startAttempt,
} from '../../../src/shared/billing/autopay/autopay.states.ts'
import type { SavedCard } from '../../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { cents, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

describe('when an invoice is charged to a card (§Invoices)', () => {
  test.each([
    ['flight_charge', false, 'at_once'],
    ['flight_charge', true, 'at_once'],
    ['invoice_charge', false, 'once_notified'],
    ['invoice_charge', true, 'at_once'],
    ['prepaid_charge', true, 'at_once'],
    ['prepaid_charge', false, 'never'],
  ] as const)('a %s that the payer raised themself (%s): %s', (kind, own, when) => {
    expect(whenCharged({ kind, own })).toBe(when)
  })
})

const facts: ChargeFacts = {
  status: 'open',
  revision: 0,
  disputed: false,
  consents: true,
  totalCents: cents(60_000),
  creditedCents: ZERO,
  amountPaidCents: ZERO,
  maxCents: cents(100_000),
  chargedTodayCents: ZERO,
}

describe('an attempt to charge a card (§Invoices)', () => {
  test.each<[string, Partial<ChargeFacts>, string]>([
    ['as it was raised', {}, 'charge'],
    ['of just the limit', { totalCents: cents(100_000) }, 'charge'],
    ['of a cent above the limit', { totalCents: cents(100_001) }, 'above_limit'],
    [
      'of just the limit, the second of the day',
      { totalCents: cents(100_000), chargedTodayCents: cents(100_000) },
      'charge',
    ],
    ['that fills the day', { chargedTodayCents: cents(140_000) }, 'charge'],
    ['a cent above the day', { chargedTodayCents: cents(140_001) }, 'daily_limit'],
    ['that is paid', { status: 'paid' }, 'stopped'],
    ['that is void', { status: 'void' }, 'stopped'],
    ['whose lines were replaced', { revision: 1 }, 'stopped'],
    ['that is credited in part', { creditedCents: cents(1) }, 'stopped'],
    ['that is paid in part', { amountPaidCents: cents(1) }, 'stopped'],
    ['that was disputed', { disputed: true }, 'stopped'],
    ['without consent', { consents: false }, 'stopped'],
  ])('of an invoice %s', (_, given, decision) => {
    expect(decideCharge({ ...facts, ...given })).toBe(decision)
  })
})

describe('how an attempt starts (§Invoices)', () => {
  const begins = (attempts: number) => ({
    next: 'charge',
    change: { state: 'charging', attempts, counted: { cents: 60_000, on: '2026-11-21' } },
  })
  const asks = (because: string, change: object) => ({
    next: 'ask_payer',
    because,
    change: { state: 'asked', ...change },
  })
  const ends = (change: object) => ({ next: 'nothing', change: { state: 'stopped', ...change } })
  const uncounted = { counted: null }
  const above = { maxCents: cents(59_999) }
  const now = { notBefore: NOW }

  test.each<[string, ChargeState, number, Partial<ChargeFacts>, { notBefore: Date | null }, object]>([
    ['one of which the payer was not told is not made', 'planned', 1, {}, { notBefore: null }, { next: 'nothing' }],
    ['the first is made', 'planned', 1, {}, now, begins(1)],
    ['the next is made after a decline', 'declined', 2, {}, now, begins(2)],
    ['a repeated one is made under its key', 'charging', 2, {}, now, { next: 'charge' }],
    ['one that another run made is over', 'paid', 1, {}, now, { next: 'nothing' }],
    ['a limit that was lowered asks before the first', 'planned', 1, above, now, asks('above_limit', uncounted)],
    ['a limit that was lowered asks before the next', 'declined', 2, above, now, asks('above_limit', uncounted)],
    [
      'a limit that was lowered asks in place of a repeated one, which counts',
      'charging',
      2,
      above,
      now,
      asks('above_limit', {}),
    ],
    [
      'what others charge meanwhile does not stop a repeated one',
      'charging',
      2,
      { chargedTodayCents: cents(200_000) },
      now,
      { next: 'charge' },
    ],
    ['autopay that is off stops the next', 'declined', 2, { consents: false }, now, ends(uncounted)],
    ['autopay that is off stops a repeated one, which counts', 'charging', 2, { consents: false }, now, ends({})],
    [
      'one that comes early waits',
      'planned',
      1,
      {},
      { notBefore: new Date('2026-11-22T12:00:00Z') },
      { next: 'wait', until: new Date('2026-11-22T12:00:00Z') },
    ],
    [
      'one that comes a moment early waits a second',
      'planned',
      1,
      {},
      { notBefore: new Date('2026-11-21T12:00:00.001Z') },
      { next: 'wait', until: new Date('2026-11-21T12:00:01Z') },
    ],
    [
      'one that comes early and is above the limit asks now',
      'planned',
      1,
      above,
      { notBefore: new Date('2026-11-22T12:00:00Z') },
      asks('above_limit', uncounted),
    ],
  ])('%s', (_, state, attempt, given, at, step) => {
    const attempts = state === 'charging' || state === 'paid' ? attempt : attempt - 1
    const charge = { state, attempts, firstDeclinedAt: null, today: '2026-11-21', ...at }
    expect(startAttempt(charge, attempt, { ...facts, ...given }, NOW)).toEqual(step)
  })
})

test('a declined card is tried again 1, 3 and 7 days after the first decline, and then no more', () => {
  const days = [1, 2, 3, 4].map((attempts) => nextAttemptAt(NOW, attempts)?.toISOString().slice(0, 10) ?? null)
  expect(days).toEqual(['2026-11-22', '2026-11-24', '2026-11-28', null])
})

describe('what follows an attempt (§Invoices)', () => {
  const keeps = (state: ChargeState) => ({ next: 'nothing', change: { state } })
  const frees = (state: ChargeState) => ({ next: 'nothing', change: { state, counted: null } })
  const asks = (because: string, change: object = { state: 'asked', counted: null }) => ({
    next: 'ask_payer',
    because,
    change,
  })

  test.each<[string, ChargeState, Partial<AttemptEnd>, object]>([
    ['no card asks', 'charging', { outcome: 'no_card' }, asks('no_card')],
    ['a refusal asks', 'charging', { outcome: 'refused' }, asks('refused')],
    ['the bank asks', 'charging', { outcome: 'wants_payer' }, asks('bank')],
    ['no answer asks, and counts', 'charging', { outcome: 'unknown' }, asks('refused', { state: 'asked' })],
    [
      'no card after an earlier call counts',
      'charging',
      { outcome: 'no_card', repeated: true },
      asks('no_card', { state: 'asked' }),
    ],
    ['no card leaves stopped what is stopped', 'stopped', { outcome: 'no_card' }, frees('stopped')],
    ['no answer leaves it stopped, and counts', 'stopped', { outcome: 'unknown' }, keeps('stopped')],
    ['nobody is asked for a void invoice', 'charging', { outcome: 'refused', status: 'void' }, frees('stopped')],
    ['nobody is asked for a paid one', 'charging', { outcome: 'unknown', status: 'paid' }, keeps('paid')],
    ['what is paid stays so', 'paid', { outcome: 'unknown' }, { next: 'nothing' }],
    ['another attempt changes nothing', 'charging', { outcome: 'no_card', attempt: 1 }, { next: 'nothing' }],
  ])('%s', (_, state, given, step) => {
    const charge = { state, attempts: 2, firstDeclinedAt: null }
    const end: AttemptEnd = { attempt: 2, outcome: 'paid', repeated: false, status: 'open', ...given }
    expect(afterAttempt(charge, end, NOW)).toEqual(step)
  })
})

describe('the card that is charged', () => {
  const card = (id: string, given: Partial<SavedCard> = {}): SavedCard => ({
    id,
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2028,
    isDefault: false,
    savedByPayer: true,
    savedAt: NOW,
    ...given,
  })
  const before = new Date(NOW.getTime() - 1_000)
  const later = new Date(NOW.getTime() + 1)

  test.each<[string, SavedCard[], string | null]>([
    ['the default', [card('new'), card('old', { isDefault: true })], 'old'],
    [
      'the newest, where the default may not be',
      [card('desk', { isDefault: true, savedByPayer: false, savedAt: later }), card('own')],
      'own',
    ],
    ['one of the desk from before the consent', [card('desk', { savedByPayer: false, savedAt: before })], 'desk'],
    ['none that the desk saved within the second of the consent', [card('desk', { savedByPayer: false })], null],
    ['none that the desk saved since', [card('desk', { savedByPayer: false, savedAt: later })], null],
    ['one of the payer’s own, saved since', [card('own', { savedAt: later })], 'own'],
    ['none without cards', [], null],
  ])('is %s', (_, cards, id) => {
    expect(cardToCharge(cards, NOW)?.id ?? null).toBe(id)
  })
})
