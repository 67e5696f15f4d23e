import { describe, expect, test } from 'vitest'
import {
  type BookingTemplateData,
  belowMinimums,
  bookingCancelled,
  bookingChanged,
  bookingCreated,
  bookingUpcoming,
  confirmedOnBehalf,
  flightCorrected,
  flightOverdue,
  leftGrounded,
  logContradicts,
  reviewNeeded,
  soloBeyond,
} from '../../../src/shared/communication/notifications/templates/booking.rules.ts'
import {
  type RequestTemplateData,
  requestApproved,
  requestDeclined,
  requestSubmitted,
} from '../../../src/shared/communication/notifications/templates/booking-request.rules.ts'
import {
  currencyEnded,
  currencyExpiring,
  currencySelfRecorded,
} from '../../../src/shared/communication/notifications/templates/currency.rules.ts'
import { documentExpiring } from '../../../src/shared/communication/notifications/templates/document.rules.ts'
import {
  autopayAsked,
  autopayDeclined,
  disputeLost,
  invoiceChanged,
  invoiceDisputed,
  invoicePaid,
  invoiceRaised,
  invoiceReminder,
  type RaisedInvoice,
} from '../../../src/shared/communication/notifications/templates/invoice.rules.ts'
import { ledgerPays, paidFromLedger } from '../../../src/shared/communication/notifications/templates/ledger.rules.ts'
import type { Message } from '../../../src/shared/communication/notifications/templates/message.rules.ts'
import {
  type CreditTemplateData,
  invoiceCredited,
  paymentReturned,
} from '../../../src/shared/communication/notifications/templates/money-back.rules.ts'
import {
  announcementPublished,
  billToChanged,
  joinRequested,
} from '../../../src/shared/communication/notifications/templates/organization.rules.ts'
import {
  resourceGrounded,
  resourceReturned,
} from '../../../src/shared/communication/notifications/templates/resource.rules.ts'
import { ruleLowered, rulesOverridden } from '../../../src/shared/communication/notifications/templates/rules.rules.ts'
import {
  endorsementExpiring,
  endorsementIssued,
  endorsementToConfirm,
  knowledgeTestExpiring,
  recordToCountersign,
  studentsStalled,
  testNotReady,
} from '../../../src/shared/communication/notifications/templates/training.rules.ts'
import { dayInWords, spanInWords } from '../../../src/shared/communication/notifications/templates/when.rules.ts'
import { cents, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const booking: BookingTemplateData = {
  id: 12,
  title: 'First solo',
  start: new Date('2026-11-24T15:00:00Z'),
  end: new Date('2026-11-24T17:00:00Z'),
  zone: 'America/New_York',
  resource: 'N512FL',
  location: 'Hayward Executive',
  people: ['Ana Ruiz', 'Ben Cole'],
  seriesCount: null,
  cancellation: null,
  changes: [],
}
const facts = ['Tue, Nov 24, 2026, 10:00–12:00 EST', 'N512FL, Hayward Executive', 'Ana Ruiz, Ben Cole']

const request: RequestTemplateData = {
  id: 5,
  title: 'First solo',
  start: booking.start,
  end: booking.end,
  zone: booking.zone,
  resource: 'N512FL',
  requester: 'Ana Ruiz',
  byGuest: false,
  reservationId: null,
  reason: null,
  cancelled: false,
}

const endorsement = {
  id: 9,
  title: 'Solo flight',
  person: 'Ana Ruiz',
  signer: 'Ben Cole',
  recorder: 'Adam Alvarez',
  unprovenReason: null,
  expiresAt: new Date('2027-02-20T04:59:59.999Z'),
  zone: 'America/New_York',
}

/** 23:59:59 of December 4 in New York. */
const disputeDueAt = new Date('2026-12-05T04:59:59Z')

const invoice: RaisedInvoice = {
  id: 7,
  balanceCents: ZERO,
  number: 31,
  organization: 'Bay Flight Academy',
  payer: 'Ana Ruiz',
  totalCents: cents(18_500),
  creditedCents: ZERO,
  amountPaidCents: cents(0),
  refundedCents: ZERO,
  disputeCents: null,
  disputeDueAt: null,
  currency: 'usd',
  dueAt: new Date('2026-12-01T04:30:00Z'),
  overdue: false,
  zone: 'America/New_York',
  paid: false,
  memo: 'Flight of Nov 24',
  payUrl: 'https://pay.example/31',
  reservationId: 12,
}
const credited: CreditTemplateData = {
  ...invoice,
  creditedCents: cents(4_000),
  credit: {
    number: 4,
    amountCents: cents(4_000),
    refund: 'processor',
    refundCents: cents(4_000),
    approved: true,
    later: false,
    reason: 'Billed as wet',
  },
  unpaid: false,
  owedBackCents: ZERO,
}
const pay = { label: 'View and pay', url: 'https://pay.example/31' }

const told: [string, Message, Message][] = [
  [
    'a new booking',
    bookingCreated(booking),
    {
      title: 'New booking: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12 },
      mail: { paragraphs: ['You are booked.', ...facts], action: null },
    },
  ],
  [
    'a new series, by its first booking',
    bookingCreated({ ...booking, seriesCount: 8, location: null, people: [] }),
    {
      title: '8 new bookings: First solo',
      body: 'Tue, Nov 24, 2026, 10:00–12:00 EST · N512FL · The first of 8 bookings.',
      data: { reservationId: 12 },
      mail: {
        paragraphs: ['You are booked 8 times. The first:', facts[0]!, 'N512FL', 'The first of 8 bookings.'],
        action: null,
      },
    },
  ],
  [
    'a restored booking, of a series too',
    bookingCreated({ ...booking, seriesCount: 4, restored: true }),
    {
      title: 'Booking restored: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12, restored: true },
      mail: { paragraphs: ['This booking is no longer cancelled.', ...facts], action: null },
    },
  ],
  [
    'a changed booking, as it stands now',
    bookingChanged({ ...booking, resource: null, location: null }),
    {
      title: 'Booking changed: First solo',
      body: `${facts[0]} · ${facts[2]}`,
      data: { reservationId: 12 },
      mail: {
        paragraphs: ['Your booking was changed. It is now:', facts[0]!, facts[2]!],
        action: null,
      },
    },
  ],
  [
    'a solo flight that is local now',
    bookingChanged({ ...booking, soloRoute: 'local' }),
    {
      title: 'Booking changed: First solo',
      body: `${facts.join(' · ')} · Solo flight: local.`,
      data: { reservationId: 12 },
      mail: {
        paragraphs: ['This booking was changed. It is now:', ...facts, 'Solo flight: local.'],
        action: null,
      },
    },
  ],
  [
    'a cancelled booking, with category and reason',
    bookingCancelled({ ...booking, cancellation: { category: 'no_show', reason: 'Nobody came', together: 1 } }),
    {
      title: 'Booking cancelled: First solo',
      body: `${facts.join(' · ')} · Reason: Nobody came (no show)`,
      data: { reservationId: 12 },
      mail: {
        paragraphs: ['This booking was cancelled.', ...facts, 'Reason: Nobody came (no show)'],
        action: null,
      },
    },
  ],
  [
    'the rest of a series, cancelled together',
    bookingCancelled({ ...booking, cancellation: { category: 'weather', reason: 'Snow', together: 5 } }),
    {
      title: '5 bookings cancelled: First solo',
      body: `${facts.join(' · ')} · The first of 5 bookings. Reason: Snow (weather)`,
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          '5 bookings were cancelled. The first:',
          ...facts,
          'The first of 5 bookings. Reason: Snow (weather)',
        ],
        action: null,
      },
    },
  ],
  [
    'a cancelled booking without a reason',
    bookingCancelled({ ...booking, cancellation: { category: null, reason: null, together: 1 } }),
    {
      title: 'Booking cancelled: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12 },
      mail: { paragraphs: ['This booking was cancelled.', ...facts], action: null },
    },
  ],
  [
    'a booking ahead, of a class too large to name',
    bookingUpcoming({ ...booking, people: ['A', 'B', 'C', 'D', 'E', 'F'] }),
    {
      title: 'Coming up: First solo',
      body: `${facts[0]} · ${facts[1]} · A, B, C, D and 2 more`,
      data: { reservationId: 12 },
      mail: {
        paragraphs: ['Your booking is coming up.', facts[0]!, facts[1]!, 'A, B, C, D and 2 more'],
        action: null,
      },
    },
  ],
  [
    'a close-out that waits for a signature',
    reviewNeeded(booking),
    {
      title: 'Please confirm: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12 },
      mail: {
        paragraphs: ['The times of this flight are recorded. Please check them and confirm the close-out.', ...facts],
        action: null,
      },
    },
  ],
  [
    'figures that were corrected after they were signed',
    flightCorrected({
      ...booking,
      signed: 'Hobbs 1.00 to 2.40',
      figures: 'Hobbs 1.00 to 2.10',
      reason: '0.3 read wrong',
    }),
    {
      title: 'Flight corrected: First solo',
      body: [...facts, 'Signed: Hobbs 1.00 to 2.40 · Now: Hobbs 1.00 to 2.10 · Reason: 0.3 read wrong'].join(' · '),
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          'The figures of this flight were corrected after they were signed. If they are not right, you can object within 7 days.',
          ...facts,
          'Signed: Hobbs 1.00 to 2.40 · Now: Hobbs 1.00 to 2.10 · Reason: 0.3 read wrong',
        ],
        action: null,
      },
    },
  ],
  [
    'figures that the desk signed for a member',
    confirmedOnBehalf({ ...booking, figures: 'Hobbs 1.00 to 2.40 · tach 1.00 to 2.10' }),
    {
      title: 'Signed for you: First solo',
      body: [...facts, 'Hobbs 1.00 to 2.40 · tach 1.00 to 2.10'].join(' · '),
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          'The desk confirmed these figures in your name. If they are not right, please tell the school: a close-out can be opened again until it is paid.',
          ...facts,
          'Hobbs 1.00 to 2.40 · tach 1.00 to 2.10',
        ],
        action: null,
      },
    },
  ],
  [
    'the weather outside of the limits of the pilot',
    belowMinimums({
      ...booking,
      findings: ['The weather at KHWD is outside of the limits of Ben Cole: wind 20 kt, at most 12 kt'],
    }),
    {
      title: 'Weather: First solo',
      body: [...facts, 'The weather at KHWD is outside of the limits of Ben Cole: wind 20 kt, at most 12 kt'].join(
        ' · ',
      ),
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          'The weather for this flight is, or may be, outside the limits of its pilot.',
          ...facts,
          'The weather at KHWD is outside of the limits of Ben Cole: wind 20 kt, at most 12 kt',
        ],
        action: null,
      },
    },
  ],
  [
    'a flight that is not back',
    flightOverdue({ ...booking, expectedBackAt: new Date('2026-11-24T17:00:00Z') }),
    {
      title: 'Overdue: First solo',
      body: [...facts, 'Expected back Tue, Nov 24, 2026, 12:00 EST.'].join(' · '),
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          'This flight has not come back. Please find out where it is.',
          ...facts,
          'Expected back Tue, Nov 24, 2026, 12:00 EST.',
        ],
        action: null,
      },
    },
  ],
  [
    'a flight that left on a grounded aircraft',
    leftGrounded(booking),
    {
      title: 'Left although grounded: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12 },
      mail: { paragraphs: ['This flight left on an aircraft that is grounded.', ...facts], action: null },
    },
  ],
  [
    'a solo flight whose log has more than the booking said',
    soloBeyond(booking),
    {
      title: 'Solo flight beyond the plan: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          'The log of this solo flight has cross-country time or an airport that its booking did not say. Please check where it went.',
          ...facts,
        ],
        action: null,
      },
    },
  ],
  [
    'figures that a flight log no longer fits',
    logContradicts(booking),
    {
      title: 'Flight log to check: First solo',
      body: facts.join(' · '),
      data: { reservationId: 12 },
      mail: {
        paragraphs: [
          'The figures of this flight were corrected, and its flight log no longer agrees with them. Please check the log.',
          ...facts,
        ],
        action: null,
      },
    },
  ],
  [
    'an invoice, with total, due date and pay link',
    invoiceRaised(invoice),
    {
      title: 'Invoice 31: $185.00',
      body: 'Bay Flight Academy sent you invoice 31 for $185.00. It is due on Mon, Nov 30, 2026.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'Bay Flight Academy sent you invoice 31 for $185.00.',
          'It is due on Mon, Nov 30, 2026.',
          'Flight of Nov 24',
        ],
        action: pay,
      },
    },
  ],
  [
    'a dispute that opens, with its amount and the last moment for evidence',
    invoiceDisputed({ ...invoice, paid: true, memo: null, disputeCents: cents(10_000), disputeDueAt }),
    {
      title: 'Disputed: invoice 31, $100.00',
      body: `${invoice.payer} asks the bank to give back $100.00 of invoice 31. Answer it at the payment processor before Fri, Dec 4, 2026, 23:59 EST. The invoice does not change until the dispute is decided.`,
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          `${invoice.payer} asks the bank to give back $100.00 of invoice 31.`,
          'Answer it at the payment processor before Fri, Dec 4, 2026, 23:59 EST. The invoice does not change until the dispute is decided.',
        ],
        action: null,
      },
    },
  ],
  [
    'a dispute that opens, without a last moment',
    invoiceDisputed({ ...invoice, paid: true, memo: null, disputeCents: cents(10_000) }),
    {
      title: 'Disputed: invoice 31, $100.00',
      body: `${invoice.payer} asks the bank to give back $100.00 of invoice 31. The payment processor gives no date for an answer. Please check there whether you can answer. The invoice does not change until the dispute is decided.`,
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          `${invoice.payer} asks the bank to give back $100.00 of invoice 31.`,
          'The payment processor gives no date for an answer. Please check there whether you can answer. The invoice does not change until the dispute is decided.',
        ],
        action: null,
      },
    },
  ],
  [
    'a dispute that is lost',
    disputeLost({ ...invoice, memo: null, disputeCents: cents(10_000) }),
    {
      title: 'Dispute lost: invoice 31, $100.00',
      body: `The bank gave $100.00 of invoice 31 back to ${invoice.payer}. The payment is reversed; the invoice shows what is due again.`,
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          `The bank gave $100.00 of invoice 31 back to ${invoice.payer}.`,
          'The payment is reversed; the invoice shows what is due again.',
        ],
        action: null,
      },
    },
  ],
  [
    'an invoice that can be paid from the ledger',
    invoiceRaised({ ...invoice, dueAt: null, memo: null, payUrl: null, balanceCents: cents(30_000) }),
    {
      title: 'Invoice 31: $185.00',
      body:
        'Bay Flight Academy sent you invoice 31 for $185.00. It has no due date. ' +
        'Your ledger has $300.00: you can pay from it, or ask the desk to.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'Bay Flight Academy sent you invoice 31 for $185.00.',
          'It has no due date.',
          'Your ledger has $300.00: you can pay from it, or ask the desk to.',
        ],
        action: null,
      },
    },
  ],
  [
    'a payment from the ledger, with what is left there',
    paidFromLedger({ ...invoice, memo: null, paidCents: cents(10_000), balanceCents: cents(20_000) }),
    {
      title: 'Paid from your ledger: $100.00 of invoice 31',
      body:
        '$100.00 of invoice 31 from Bay Flight Academy was paid from your ledger. $200.00 is left there. ' +
        'If that is not right, please tell Bay Flight Academy: the payment can be reversed.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          '$100.00 of invoice 31 from Bay Flight Academy was paid from your ledger. $200.00 is left there.',
          'If that is not right, please tell Bay Flight Academy: the payment can be reversed.',
        ],
        action: null,
      },
    },
  ],
  [
    'a ledger that pays by itself from now on',
    ledgerPays({ organization: 'Bay Flight Academy' }),
    {
      title: 'Your ledger pays new invoices',
      body:
        'Bay Flight Academy now pays new invoices from the ledgers of its members, as far as the balance goes. ' +
        'What you signed for is paid at once. Of anything else you get a mail 24 hours before. Invoices that you have now are not affected.',
      data: {},
      mail: {
        paragraphs: [
          'Bay Flight Academy now pays new invoices from the ledgers of its members, as far as the balance goes.',
          'What you signed for is paid at once. Of anything else you get a mail 24 hours before. Invoices that you have now are not affected.',
        ],
        action: null,
      },
    },
  ],
  [
    'an invoice that is not raised yet: no number, no link, no due date',
    invoiceRaised({ ...invoice, number: null, dueAt: null, memo: null, payUrl: null, reservationId: null }),
    {
      title: 'Invoice: $185.00',
      body: 'Bay Flight Academy sent you an invoice for $185.00. It has no due date.',
      data: { invoiceId: 7 },
      mail: {
        paragraphs: ['Bay Flight Academy sent you an invoice for $185.00.', 'It has no due date.'],
        action: null,
      },
    },
  ],
  [
    'an invoice that the account with the school covered: nothing to pay',
    invoiceRaised({ ...invoice, paid: true, amountPaidCents: cents(18_500), memo: null }),
    {
      title: 'Invoice 31: $185.00',
      body: 'Bay Flight Academy charged you $185.00. It is paid; there is nothing left to do.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: ['Bay Flight Academy charged you $185.00. It is paid; there is nothing left to do.'],
        action: null,
      },
    },
  ],
  [
    'a paid invoice, to the admins',
    invoicePaid({ ...invoice, paid: true, amountPaidCents: cents(18_500), memo: null }),
    {
      title: 'Invoice 31 is paid: $185.00',
      body: 'Ana Ruiz paid invoice 31 of $185.00.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: { paragraphs: ['Ana Ruiz paid invoice 31 of $185.00.'], action: null },
    },
  ],
  [
    'a card that was declined',
    autopayDeclined({ ...invoice, memo: null }),
    {
      title: 'Your card was declined: invoice 31, $185.00',
      body:
        'Bay Flight Academy could not charge $185.00 of invoice 31 to your card. The charge is tried again one, three and seven days ' +
        'after the first time, unless you pay before.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'Bay Flight Academy could not charge $185.00 of invoice 31 to your card.',
          'The charge is tried again one, three and seven days after the first time, unless you pay before.',
        ],
        action: pay,
      },
    },
  ],
  [
    'a charge that needs the payer',
    autopayAsked({ ...invoice, dueAt: null, memo: null }),
    {
      title: 'Please pay: invoice 31, $185.00',
      body:
        '$185.00 of invoice 31 from Bay Flight Academy was not charged to your card: your bank wants you to confirm it, it is ' +
        'above your limit, or there is no card that may be charged. It has no due date.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          '$185.00 of invoice 31 from Bay Flight Academy was not charged to your card: your bank wants you to confirm it, it is ' +
            'above your limit, or there is no card that may be charged.',
          'It has no due date.',
        ],
        action: pay,
      },
    },
  ],
  [
    'the rest of an invoice that is paid and credited in part',
    invoiceRaised({ ...invoice, amountPaidCents: cents(8_000), creditedCents: cents(1_500), memo: null }),
    {
      title: 'Invoice 31: $90.00',
      body:
        'Invoice 31 from Bay Flight Academy: $185.00 in total, $80.00 paid, $15.00 credited. $90.00 is still due. ' +
        'It is due on Mon, Nov 30, 2026.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'Invoice 31 from Bay Flight Academy: $185.00 in total, $80.00 paid, $15.00 credited. $90.00 is still due.',
          'It is due on Mon, Nov 30, 2026.',
        ],
        action: pay,
      },
    },
  ],
  [
    'an invoice that asks for another amount',
    invoiceChanged({
      ...invoice,
      memo: null,
      dueCents: cents(9_000),
      changes: [
        { kind: 'lines', beforeCents: cents(20_000), totalCents: cents(18_500) },
        { kind: 'paid', amountCents: cents(9_000), method: 'check' },
        { kind: 'credited', number: 4, amountCents: cents(1_500), reason: 'Billed as wet' },
        { kind: 'reversed', amountCents: cents(1_000), reason: null },
      ],
    }),
    {
      title: 'Invoice 31 changed: $90.00 is due',
      body: expect.stringContaining('A payment of $10.00 was taken back. $90.00 of invoice 31'),
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'Its lines changed: the total is $185.00 instead of $200.00.',
          'A payment of $90.00 by check came in.',
          'Credit note 4 takes $15.00 off: Billed as wet',
          'A payment of $10.00 was taken back.',
          '$90.00 of invoice 31 from Bay Flight Academy is due.',
          'Please use this payment page in place of the earlier one.',
          'It is due on Mon, Nov 30, 2026.',
        ],
        action: pay,
      },
    },
  ],
  [
    'a payment of more than was due',
    paymentReturned({ ...invoice, paid: true, returnedCents: cents(500) }),
    {
      title: 'Refund on invoice 31: $5.00',
      body:
        'You paid $5.00 more than was due on invoice 31 from Bay Flight Academy. $5.00 is refunded the way you paid. This may take ' +
        'the bank a few days.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'You paid $5.00 more than was due on invoice 31 from Bay Flight Academy.',
          '$5.00 is refunded the way you paid. This may take the bank a few days.',
        ],
        action: null,
      },
    },
  ],
  [
    'a credit that goes back the way it was paid',
    invoiceCredited({ ...credited, paid: true }),
    {
      title: 'Credit on invoice 31: $40.00',
      body:
        'Bay Flight Academy credited $40.00 of invoice 31 with credit note 4. $40.00 is refunded the way you paid. This may take ' +
        'the bank a few days.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'Bay Flight Academy credited $40.00 of invoice 31 with credit note 4.',
          '$40.00 is refunded the way you paid. This may take the bank a few days.',
          'Billed as wet',
        ],
        action: null,
      },
    },
  ],
  [
    'a credit that goes back later',
    invoiceCredited({ ...credited, credit: { ...credited.credit, refund: 'ledger', later: true } }),
    {
      title: 'Refund on invoice 31: $40.00',
      body: 'This refund from Bay Flight Academy is for credit note 4 of invoice 31. $40.00 was put on your account with the school.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          'This refund from Bay Flight Academy is for credit note 4 of invoice 31.',
          '$40.00 was put on your account with the school.',
        ],
        action: null,
      },
    },
  ],
  [
    'a reminder of what is still open, overdue',
    invoiceReminder({ ...invoice, amountPaidCents: cents(8_000), overdue: true, memo: null }),
    {
      title: 'Reminder: invoice 31, $105.00',
      body: '$105.00 of invoice 31 from Bay Flight Academy is still open. It was due on Mon, Nov 30, 2026.',
      data: { invoiceId: 7, reservationId: 12 },
      mail: {
        paragraphs: [
          '$105.00 of invoice 31 from Bay Flight Academy is still open.',
          'It was due on Mon, Nov 30, 2026.',
        ],
        action: pay,
      },
    },
  ],
  [
    'somebody who asks to join',
    joinRequested({ id: 3, name: 'Cy Dent', organization: 'Bay Flight Academy' }),
    {
      title: 'Cy Dent asks to join',
      body: 'Cy Dent asks to join Bay Flight Academy. An admin can approve or decline the request.',
      data: { joinRequestId: 3 },
      mail: {
        paragraphs: ['Cy Dent asks to join Bay Flight Academy. An admin can approve or decline the request.'],
        action: null,
        asked: true,
      },
    },
  ],
  [
    'a grounded aircraft and why',
    resourceGrounded({ id: 4, name: 'N512FL', groundedReason: 'Flat tire' }),
    {
      title: 'N512FL is grounded',
      body: 'Reason: Flat tire · Its bookings are on hold until it returns to service.',
      data: { resourceId: 4 },
      mail: {
        paragraphs: ['Reason: Flat tire', 'Its bookings are on hold until it returns to service.'],
        action: null,
      },
    },
  ],
  [
    'an aircraft that returned to service',
    resourceReturned({ id: 4, name: 'N512FL', groundedReason: null }),
    {
      title: 'N512FL is back in service',
      body: 'N512FL can be flown again.',
      data: { resourceId: 4 },
      mail: { paragraphs: ['N512FL can be flown again.'], action: null },
    },
  ],
  [
    'a record to countersign',
    recordToCountersign({ id: 5, enrollmentId: 3, lesson: 'Stalls', grade: 'S', signer: 'Ben Cole' }),
    {
      title: 'Please countersign: Stalls',
      body: 'Ben Cole signed the record of Stalls (S). Please check it and countersign it.',
      data: { recordId: 5, enrollmentId: 3 },
      mail: {
        paragraphs: ['Ben Cole signed the record of Stalls (S).', 'Please check it and countersign it.'],
        action: null,
      },
    },
  ],
  [
    'a booking request',
    requestSubmitted(request),
    {
      title: 'Booking request: First solo',
      body: 'Ana Ruiz asks for a booking. Tue, Nov 24, 2026, 10:00–12:00 EST · N512FL',
      data: { bookingRequestId: 5 },
      mail: {
        paragraphs: ['Ana Ruiz asks for a booking.', 'Tue, Nov 24, 2026, 10:00–12:00 EST', 'N512FL'],
        action: null,
      },
    },
  ],
  [
    'an approved request',
    requestApproved({ ...request, reservationId: 12, resource: null }),
    {
      title: 'Booking approved: First solo',
      body: 'Your booking request is approved: you are booked. Tue, Nov 24, 2026, 10:00–12:00 EST',
      data: { bookingRequestId: 5, reservationId: 12 },
      mail: {
        paragraphs: ['Your booking request is approved: you are booked.', 'Tue, Nov 24, 2026, 10:00–12:00 EST'],
        action: null,
      },
    },
  ],
  [
    'a declined request',
    requestDeclined({ ...request, reason: 'No aircraft' }),
    {
      title: 'Booking declined: First solo',
      body: 'Your booking request is declined. Tue, Nov 24, 2026, 10:00–12:00 EST · N512FL · Reason: No aircraft',
      data: { bookingRequestId: 5 },
      mail: {
        paragraphs: [
          'Your booking request is declined.',
          'Tue, Nov 24, 2026, 10:00–12:00 EST',
          'N512FL',
          'Reason: No aircraft',
        ],
        action: null,
      },
    },
  ],
  [
    'a booking request that the desk cancelled',
    requestDeclined({ ...request, cancelled: true }),
    {
      title: 'Booking request cancelled: First solo',
      body: 'Your booking request is cancelled. Tue, Nov 24, 2026, 10:00–12:00 EST · N512FL',
      data: { bookingRequestId: 5 },
      mail: {
        paragraphs: ['Your booking request is cancelled.', 'Tue, Nov 24, 2026, 10:00–12:00 EST', 'N512FL'],
        action: null,
      },
    },
  ],
  [
    'a new endorsement',
    endorsementIssued(endorsement),
    {
      title: 'New endorsement: Solo flight',
      body: 'Ben Cole endorsed you: Solo flight. The endorsement is valid until Fri, Feb 19, 2027.',
      data: { endorsementId: 9 },
      mail: {
        paragraphs: ['Ben Cole endorsed you: Solo flight.', 'The endorsement is valid until Fri, Feb 19, 2027.'],
        action: null,
      },
    },
  ],
  [
    'an endorsement that somebody recorded in the instructor’s name',
    endorsementToConfirm(endorsement),
    {
      title: 'Did you endorse Ana Ruiz? Solo flight',
      body:
        'Adam Alvarez recorded an endorsement of Ana Ruiz in your name: Solo flight. It counts once you confirm it. ' +
        'If you did not sign it, disown it.',
      data: { endorsementId: 9 },
      mail: {
        paragraphs: [
          'Adam Alvarez recorded an endorsement of Ana Ruiz in your name: Solo flight.',
          'It counts once you confirm it. If you did not sign it, disown it.',
        ],
        action: null,
      },
    },
  ],
  [
    'a currency that staff recorded for themselves',
    currencySelfRecorded({ id: 4, name: 'Ben Cole', currency: 'Medical' }),
    {
      title: 'Ben Cole recorded their own currency: Medical',
      body: 'Ben Cole recorded a date of “Medical” for themselves. Please check it.',
      data: { currencyId: 4 },
      mail: {
        paragraphs: ['Ben Cole recorded a date of “Medical” for themselves. Please check it.'],
        action: null,
      },
    },
  ],
  [
    'a currency that somebody ended, which a locked screen does not name',
    currencyEnded({ orgUserId: 9, currencyId: 4, name: 'Ben Cole', currency: 'Medical', on: '2026-11-20' }),
    {
      title: 'A currency of Ben Cole ended',
      body: 'Sign in to see which one.',
      data: { currencyId: 4, orgUserId: 9 },
      mail: { paragraphs: ['The currency “Medical” of Ben Cole ended on Fri, Nov 20, 2026.'], action: null },
    },
  ],
  [
    'a currency that began again',
    currencyEnded({ orgUserId: 9, currencyId: 4, name: 'Ben Cole', currency: 'Medical', on: null }),
    {
      title: 'A currency of Ben Cole began again',
      body: 'Sign in to see which one.',
      data: { currencyId: 4, orgUserId: 9 },
      mail: { paragraphs: ['The currency “Medical” of Ben Cole began again.'], action: null },
    },
  ],
  [
    'rules that were overridden',
    rulesOverridden({
      overrides: [
        {
          reservationId: 12,
          booking: 'First solo',
          rule: 'Medical',
          person: 'Ben Cole',
          by: 'Adam Alvarez',
          self: false,
        },
        { reservationId: 13, booking: 'Night', rule: 'Flying day', person: null, by: 'Adam Alvarez', self: false },
        {
          reservationId: 13,
          booking: 'Night',
          rule: 'Medical',
          person: 'Adam Alvarez',
          by: 'Adam Alvarez',
          self: true,
        },
      ],
    }),
    {
      title: '3 booking rules were overridden',
      body:
        'First solo: Medical, for Ben Cole, by Adam Alvarez · Night: Flying day, by Adam Alvarez · ' +
        'Night: Medical, about themselves, by Adam Alvarez',
      data: { reservationIds: [12, 13] },
      mail: {
        paragraphs: [
          'Overrides since the previous mail of this kind:',
          'First solo: Medical, for Ben Cole, by Adam Alvarez',
          'Night: Flying day, by Adam Alvarez',
          'Night: Medical, about themselves, by Adam Alvarez',
        ],
        action: null,
      },
    },
  ],
  [
    'a rule of booking that no longer blocks',
    ruleLowered({ title: 'Availability', by: 'Adam Alvarez', enforcement: 'warn' }),
    {
      title: 'A booking rule now only warns: Availability',
      body: 'Adam Alvarez changed the rule “Availability”: it now only warns. It no longer refuses bookings.',
      data: {},
      mail: {
        paragraphs: [
          'Adam Alvarez changed the rule “Availability”: it now only warns.',
          'It no longer refuses bookings.',
        ],
        action: null,
      },
    },
  ],
  [
    'an endorsement without an end',
    endorsementIssued({ ...endorsement, expiresAt: null }),
    {
      title: 'New endorsement: Solo flight',
      body: 'Ben Cole endorsed you: Solo flight.',
      data: { endorsementId: 9 },
      mail: { paragraphs: ['Ben Cole endorsed you: Solo flight.'], action: null },
    },
  ],
  [
    'an endorsement that does not count yet',
    endorsementIssued({ ...endorsement, unprovenReason: 'not_confirmed', expiresAt: null }),
    {
      title: 'New endorsement: Solo flight',
      body: 'Ben Cole endorsed you: Solo flight. It does not count until the signer confirms it.',
      data: { endorsementId: 9 },
      mail: {
        paragraphs: ['Ben Cole endorsed you: Solo flight.', 'It does not count until the signer confirms it.'],
        action: null,
      },
    },
  ],
  [
    'an endorsement without a signature',
    endorsementIssued({ ...endorsement, signer: null, expiresAt: null }),
    {
      title: 'New endorsement: Solo flight',
      body: 'Adam Alvarez recorded an endorsement without a signature for you: Solo flight. It does not count without a signature.',
      data: { endorsementId: 9 },
      mail: {
        paragraphs: [
          'Adam Alvarez recorded an endorsement without a signature for you: Solo flight.',
          'It does not count without a signature.',
        ],
        action: null,
      },
    },
  ],
  [
    'a payer without an account who is asked to pay for a member',
    billToChanged({
      orgUserId: 6,
      name: 'Ana Ruiz',
      payerId: 7,
      payer: 'Ben Cole',
      formerId: null,
      accepted: false,
      signsIn: false,
    }),
    {
      title: 'Who pays for Ana Ruiz',
      body: 'Ben Cole is asked to pay for Ana Ruiz. Ana Ruiz pays until an admin has recorded that Ben Cole accepts.',
      data: Object.assign({ orgUserId: 6 }, { payerOrgUserId: 7 }),
      mail: {
        paragraphs: [
          'Ben Cole is asked to pay for Ana Ruiz. Ana Ruiz pays until an admin has recorded that Ben Cole accepts.',
        ],
        action: null,
      },
    },
  ],
  [
    'an endorsement that expires',
    endorsementExpiring(endorsement),
    {
      title: 'Endorsement expires on Fri, Feb 19, 2027: Solo flight',
      body: 'The endorsement “Solo flight” of Ana Ruiz expires on Fri, Feb 19, 2027.',
      data: { endorsementId: 9 },
      mail: { paragraphs: ['The endorsement “Solo flight” of Ana Ruiz expires on Fri, Feb 19, 2027.'], action: null },
    },
  ],
  [
    'a knowledge test that ends',
    knowledgeTestExpiring({
      id: 7,
      enrollmentId: 4,
      student: 'Ana Ruiz',
      zone: 'America/New_York',
      expiresAt: new Date('2027-01-01T04:59:59.999Z'),
    }),
    {
      title: 'Knowledge test of Ana Ruiz expires on Thu, Dec 31, 2026',
      body: 'The knowledge test of Ana Ruiz is valid until Thu, Dec 31, 2026. The practical test must be completed by then.',
      data: { testId: 7, enrollmentId: 4 },
      mail: {
        paragraphs: [
          'The knowledge test of Ana Ruiz is valid until Thu, Dec 31, 2026. The practical test must be completed by then.',
        ],
        action: null,
      },
    },
  ],
  [
    'students who are stalled',
    studentsStalled({
      students: [
        { student: 'Ana Ruiz', days: 21 },
        { student: 'Ben Cole', days: 14 },
      ],
    }),
    {
      title: '2 students are stalled',
      body: '2 students have not completed a lesson for two weeks or longer. The report on stalled students has the cause of each.',
      data: {},
      mail: {
        paragraphs: [
          '2 students have not completed a lesson for two weeks or longer.',
          '– Ana Ruiz: 21 days',
          '– Ben Cole: 14 days',
          'The report on stalled students has the cause of each.',
        ],
        action: null,
        link: { label: 'Open the report', page: 'stalled-students' },
      },
    },
  ],
  [
    'a practical test that is near',
    testNotReady({
      enrollmentId: 4,
      student: 'Ana Ruiz',
      at: new Date('2026-12-10T15:00:00Z'),
      zone: 'America/New_York',
      open: ['medical', 'endorsement:A.1: A.1 is not signed.'],
    }),
    {
      title: 'Practical test on Thu, Dec 10, 2026: not ready yet',
      body: 'Ana Ruiz is not ready yet for the practical test on Thu, Dec 10, 2026. The readiness of the enrollment lists what is still missing.',
      data: { enrollmentId: 4 },
      mail: {
        paragraphs: [
          'Ana Ruiz is not ready yet for the practical test on Thu, Dec 10, 2026. Still open:',
          '– medical',
          '– endorsement:A.1: A.1 is not signed.',
        ],
        action: null,
      },
    },
  ],
]

describe('the message of a notification (§Notifications)', () => {
  test.each(told)('has its exact sentences for %s', (_, message, expected) => {
    expect(message).toEqual(expected)
  })
})

describe('the time range in a message (§Time zones)', () => {
  test.each([
    ['2026-11-24T15:00:00Z', '2026-11-24T17:00:00Z', 'America/New_York', 'Tue, Nov 24, 2026, 10:00–12:00 EST'],
    ['2026-07-01T05:00:00Z', '2026-07-01T07:30:00Z', 'UTC', 'Wed, Jul 1, 2026, 05:00–07:30 UTC'],
    ['2026-11-24T23:30:00Z', '2026-11-25T05:00:00Z', 'UTC', 'Tue, Nov 24, 2026, 23:30 – Wed, Nov 25, 2026, 05:00 UTC'],
    // The clocks go back at 2:00 on Sunday, November 1.
    ['2026-11-01T05:30:00Z', '2026-11-01T07:00:00Z', 'America/New_York', 'Sun, Nov 1, 2026, 01:30 EDT–02:00 EST'],
    ['2026-11-24T15:00:00Z', '2026-11-24T17:00:00Z', 'Asia/Kathmandu', 'Tue, Nov 24, 2026, 20:45–22:45 GMT+5:45'],
  ])('from %s to %s in %s reads %s', (start, end, zone, words) => {
    expect(spanInWords(new Date(start), new Date(end), zone)).toBe(words)
  })

  test('names the local day', () => {
    expect(dayInWords(new Date('2026-12-01T04:30:00Z'), 'America/New_York')).toBe('Mon, Nov 30, 2026')
    expect(dayInWords(new Date('2026-12-01T04:30:00Z'), 'Europe/Berlin')).toBe('Tue, Dec 1, 2026')
  })
})

test('a currency that expires names its last day in the school’s zone and says where bookings are refused', () => {
  const medical = {
    currencyId: 3,
    name: 'Medical',
    kind: 'expiring' as const,
    expiresAt: new Date('2027-03-01T04:59:59.999Z'),
    blocking: false,
    zone: 'America/New_York',
  }
  const sentence = 'Your currency “Medical” expires on Sun, Feb 28, 2027.'
  expect(currencyExpiring(medical)).toEqual({
    title: 'Medical expires on Sun, Feb 28, 2027',
    body: sentence,
    data: { currencyId: 3 },
    mail: { paragraphs: [sentence], action: null },
  })
  expect(currencyExpiring({ ...medical, blocking: true }).body).toBe(
    `${sentence} Bookings after it are refused until it is renewed.`,
  )
})

test('recent flights that lapse name the last day on which they count and what renews them', () => {
  // The first moment after March 4 in New York.
  const expiresAt = new Date('2027-03-05T05:00:00Z')
  const recency = { currencyId: 4, name: '90 days', kind: 'recent_flights' as const, expiresAt, blocking: true }
  expect(currencyExpiring({ ...recency, zone: 'America/New_York' })).toMatchObject({
    title: '90 days expires on Thu, Mar 4, 2027',
    body:
      'Your currency “90 days” expires on Thu, Mar 4, 2027 unless you fly again by then. ' +
      'Bookings after it are refused until it is renewed.',
  })
})

test('a document message says when the document expires or expired and whose it is', () => {
  const policy = {
    id: 8,
    title: 'Hull policy',
    expiresAt: new Date('2027-03-01T04:59:59.999Z'),
    organizations: false,
    zone: 'America/New_York',
  }
  expect(documentExpiring(policy)).toMatchObject({
    title: 'Hull policy expires on Sun, Feb 28, 2027',
    body: 'Your document “Hull policy” expires on Sun, Feb 28, 2027. Please add the new one in time.',
    data: { documentId: 8 },
  })
  expect(documentExpiring({ ...policy, organizations: true })).toMatchObject({
    body: 'The organization’s document “Hull policy” expires on Sun, Feb 28, 2027. Please add the new one in time.',
  })
})

test('an announcement is mailed whole, one paragraph for each of its own, and shortened in the app', () => {
  const body = `Friday.\n\n${'b'.repeat(600)}`
  expect(announcementPublished({ id: 6, title: 'Ramp closed', body, author: 'Ben Cole' })).toEqual({
    title: 'Ramp closed',
    body: `Friday.\n\n${'b'.repeat(490)}…`,
    data: { announcementId: 6 },
    mail: { paragraphs: ['Friday.', 'b'.repeat(600), 'Announced by Ben Cole.'], action: null },
  })
})

describe('where the money of a credit is (interface extension §20.5)', () => {
  const { credit } = credited
  const kept = { ...credit, refund: 'none', refundCents: ZERO } as const
  test.each([
    [
      'given back at the desk',
      { credit: { ...credit, refund: 'offline' } },
      '$40.00 was given back to you at the school.',
    ],
    [
      'put on the account',
      { credit: { ...credit, refund: 'ledger' } },
      '$40.00 was put on your account with the school.',
    ],
    [
      'waiting for a second admin',
      { credit: { ...credit, approved: false } },
      '$40.00 will be refunded to you when a second person at the school has approved it.',
    ],
    ['kept for the payer', { credit: kept, owedBackCents: cents(4_000) }, '$40.00 that you paid is kept for you.'],
    ['taken off what is due', { credit: kept, unpaid: true }, '$145.00 of invoice 31 is still due.'],
  ] as const)('%s', (_name, change, sentence) => {
    expect(invoiceCredited({ ...credited, ...change }).mail?.paragraphs).toEqual([
      'Bay Flight Academy credited $40.00 of invoice 31 with credit note 4.',
      sentence,
      'Billed as wet',
    ])
  })
})
