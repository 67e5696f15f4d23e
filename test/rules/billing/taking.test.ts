import { describe, expect, test } from 'vitest'
import type { FlightCharge, PayerId, Stake } from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { payersRaised } from '../../../src/shared/billing/flight-bill/shares.rules.ts'
import {
  accountPaysFrom,
  agreedToFlight,
  notifiedBy,
  takeableFrom,
} from '../../../src/shared/billing/flight-bill/taking.rules.ts'
import type { Side } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import { type Role, roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { basisPoints, cents } from '../../../src/shared/platform/kernel/units.ts'
import { decidesForPayers } from '../../../src/shared/scheduling/reservations/payers.rules.ts'
import { ben, cleo, dora, flight } from './a-flight.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)

describe('the time from which money is taken without asking (§Invoices)', () => {
  test.for<[string, boolean, [amount: number, hoursAgo: number] | null, number | null]>([
    ['what the payer agreed to: at once', true, null, 0],
    ['untold: not yet', false, null, null],
    ['told just now: in 24 hours', false, [9_000, 0], 24],
    ['told 23 hours ago: in an hour', false, [9_000, 23], 1],
    ['told 24 hours ago: now', false, [9_000, 24], 0],
    ['told of more: as told', false, [9_001, 24], 0],
    ['told of less: told anew', false, [8_999, 48], null],
  ])('%s', ([, agreed, told, inHours]) => {
    const notice = told && { amountCents: cents(told[0]), notifiedAt: hoursAgo(told[1]) }
    const from = takeableFrom({ agreed, amountCents: cents(9_000), notice }, NOW)
    expect(from).toEqual(inHours === null ? null : hoursAgo(-inHours))
  })
})

describe('the time from which an account pays an invoice (§Invoices: POST payments)', () => {
  const payer = { byPayer: true, byOtherAdmin: false }
  const otherAdmin = { byPayer: false, byOtherAdmin: true }
  const raiser = { byPayer: false, byOtherAdmin: false }

  test.for<[string, typeof payer, ledgerFrom: number | null, told: number | null, inHours: number]>([
    ['the payer, before any mail: at once', payer, null, null, 0],
    ['an admin who did not raise it: at once', otherAdmin, null, 0, 0],
    ['who raised it, of what the payer agreed to: since then', raiser, 5, 5, -5],
    ['who raised it, before the mail: 24 hours from now', raiser, null, null, 24],
    ['who raised it, 23 hours after the mail: in an hour', raiser, null, 23, 1],
    ['who raised it, 24 hours after the mail: now', raiser, null, 24, 0],
    ['who raised it, after a mail that says from when on: then', raiser, -3, 40, 3],
  ])('%s', ([, who, ledgerFrom, told, inHours]) => {
    const at = (hours: number | null) => (hours === null ? null : hoursAgo(hours))
    expect(accountPaysFrom({ ...who, ledgerFrom: at(ledgerFrom), notifiedAt: at(told) }, NOW)).toEqual(
      hoursAgo(-inHours),
    )
  })
})

describe('what a payer was told', () => {
  type Row = [string, number, number | null, number | null, number | null, cleared?: number, signed?: number]
  test.for<Row>([
    ['a mail that was sent: since then', 50, 49, null, 49],
    ['a mail that is on its way: now', 0.9, null, null, 0],
    ['a mail that has not left for an hour: nothing', 1, null, null, null],
    ['a mail that was given up: nothing', 0.9, null, 0.8, null],
    ['a mail, signed again within 24 hours: since the mail', 50, 49, null, 49, 40, 25.1],
    ['a mail, signed again after 24 hours: nothing', 50, 49, null, null, 48, 25],
    ['a mail, cleared and not signed again for 24 hours: nothing', 50, 24, null, null, 23],
    ['a mail, cleared and not signed again yet: since the mail', 50, 23, null, 23, 22],
    ['a mail after the signatures were cleared: since the mail', 50, 40, null, 40, 41, 1],
  ])('%s', ([, written, sent, givenUp, told, cleared = null, signed = null]) => {
    const at = (hours: number | null) => (hours === null ? null : hoursAgo(hours))
    const notice = {
      amountCents: cents(1),
      writtenAt: hoursAgo(written),
      sentAt: at(sent),
      givenUpAt: at(givenUp),
      clearedAt: at(cleared),
      signedAt: at(signed),
    }
    expect(notifiedBy(notice, NOW)?.notifiedAt ?? null).toEqual(told === null ? null : hoursAgo(told))
  })
})

describe('who agrees to what a flight costs (§Invoices)', () => {
  const payers = [ben, cleo]
  const amounts = [{ orgUserId: 2, amountCents: cents(9_000) }]
  const by = (orgUserId: number, side: Side, recordedBy: number | null = null) => {
    return { orgUserId, side, recordedBy, amounts }
  }
  test.for<[string, ReturnType<typeof by>[], boolean]>([
    ['nobody signed', [], false],
    ['the payer', [by(2, 'pilots')], true],
    ['another payer', [by(3, 'pilots')], false],
    ['another payer who teaches', [by(3, 'instructors')], false],
    ['an instructor who does not pay', [by(9, 'instructors')], true],
    ['the desk, for another payer without an account', [by(3, 'pilots', 8)], true],
    ['the desk, of whom one pays', [by(4, 'pilots', 3)], false],
    ['somebody who neither pays nor teaches', [by(9, 'pilots')], false],
  ])('signed by %s', ([, signatures, agreed]) => {
    expect(agreedToFlight(ben, cents(9_000), { signatures, payers })).toBe(agreed)
  })

  test('a signature agrees to no more than was owed when it was given', () => {
    const signatures = [by(2, 'pilots'), by(9, 'instructors'), by(3, 'pilots', 8)]
    const agreedTo = (amount: number) => agreedToFlight(ben, cents(amount), { signatures, payers })
    expect([agreedTo(8_999), agreedTo(9_001)]).toEqual([true, false])
    expect(agreedToFlight(cleo, cents(1), { signatures, payers })).toBe(false)
  })
})

describe('who decides for the payers', () => {
  const seats = [
    { side: 'instructors', orgUserId: 1 },
    { side: 'renters', orgUserId: 2 },
    { side: 'guests', orgUserId: 3 },
  ] as const
  test.for<[Role, number, boolean]>([
    ['dispatcher', 7, true],
    ['dispatcher', 2, false],
    ['owner', 2, false],
    ['dispatcher', 3, false],
    ['admin', 7, true],
    ['instructor', 1, true],
    ['instructor', 7, true],
    ['instructor', 2, false],
    ['renter', 2, false],
    ['technician', 7, false],
  ])('%s %i: %s', ([role, orgUserId, decides]) => {
    expect(decidesForPayers({ roles: roleFlags({ [role]: true }), orgUserId }, { seats })).toBe(decides)
  })
})

describe('a change of payers asks more of', () => {
  const waived = (of: PayerId): Stake => ({ ...idOf(of), kind: 'waived' })
  const percent = (of: PayerId, part: number): Stake => {
    return { ...idOf(of), kind: 'percentage', percentageBps: basisPoints(part * 100) }
  }
  const idOf = ({ orgUserId, guestId }: PayerId) => ({ orgUserId, guestId })
  const even = { ...flight().settings, chargeRules: { aircraft: 'split_evenly', instruction: 'one_payer' } } as const
  const of = (payers: PayerId[], stakes: Stake[] = [], settings: FlightCharge['settings'] = flight().settings) => {
    return flight({ payers: payers.map((payer) => ({ name: '', ...payer })), stakes, settings })
  }
  test.for<[string, FlightCharge, FlightCharge, PayerId[]]>([
    ['nobody when it is the same', of([ben, cleo]), of([ben, cleo]), []],
    ['nobody when the caller takes it', of([cleo, ben]), of([cleo, ben], [percent(ben, 100)]), []],
    ['the second when the first is waived', of([ben, cleo]), of([ben, cleo], [waived(ben)]), [cleo]],
    [
      'who gets a percentage',
      of([ben, cleo, dora]),
      of([ben, cleo, dora], [percent(ben, 50), percent(dora, 50)]),
      [dora],
    ],
    ['who leads now', of([ben, cleo]), of([cleo, ben]), [cleo]],
    ['who comes new and leads', of([ben]), of([dora, ben]), [dora]],
    ['nobody who comes new and leads not', of([ben]), of([ben, dora]), []],
    ['nobody who comes new for an even part', of([ben], [], even), of([ben, dora], [], even), []],
    ['nobody who comes instead', of([ben]), of([dora]), []],
    ['who comes new when the others are waived', of([ben], [waived(ben)]), of([ben, dora], [waived(ben)]), [dora]],
    ['who stays when a third one leaves', of([ben, cleo, dora], [], even), of([ben, cleo], [], even), [cleo]],
    [
      'who pays all by the rule, when a smaller part was agreed',
      of([cleo, ben], [percent(cleo, 10), percent(ben, 90)]),
      of([cleo, ben]),
      [cleo],
    ],
  ])('%s', ([, before, after, raised]) => {
    expect(payersRaised(before, after, 2)).toEqual(raised.map((payer) => expect.objectContaining(idOf(payer))))
  })
})
