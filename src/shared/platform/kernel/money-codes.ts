import type { Codes } from './training-codes.ts'

/** The codes of invoices, credit notes and the currency of an organization. */
export const money = {
  ALREADY_INVOICED: {
    status: [400],
    meaning: 'Everybody who pays for the booking has an invoice that stands. Read the invoices.',
  },
  FEE_DECIDED: {
    status: [409],
    meaning: 'The fee is waived or charged already, or the payer has objected to it before. Read the booking.',
  },
  CREDIT_EXCEEDS: {
    status: [409],
    meaning: 'The credit is more than is left of the invoice. Read the invoice.',
  },
  REMAINDER_TOO_SMALL: {
    status: [409],
    meaning:
      'What would be left to pay, `details.leftCents`, is less than the payment processor collects. Credit or record all that is due, or leave 50 cents or more.',
  },
  NOTHING_TO_REFUND: {
    status: [409],
    meaning:
      'Nothing can be refunded in that way. Credit with `refund: none`, or choose the way in which the money came.',
  },
  INVOICE_CREDITED: {
    status: [409],
    meaning: 'The invoice has credit notes, so its lines and its charge stay as they are. Credit what is left of it.',
  },
  PARTLY_PAID: {
    status: [409],
    meaning:
      'A part of the invoice is paid, so it is not voided and its lines stay. Reverse or refund its payments first.',
  },
  PAYMENT_EXCEEDS_DUE: {
    status: [409],
    meaning: 'The payment is more than what is due. Read the invoice.',
  },
  PAYMENT_EXCEEDS_BALANCE: {
    status: [409],
    meaning: 'The ledger of the payer has less than the payment: `details.availableCents`. Pay at most that.',
  },
  PAYMENT_EXISTS: {
    status: [409],
    meaning:
      'The ledger entry is a payment of an invoice. Reverse that payment: `details.invoiceId` and `details.paymentId`.',
  },
  PAYMENT_UNDER_WAY: {
    status: [409],
    meaning: 'The invoice is being charged to the payer’s card. Read the invoice in a moment, and repeat if it is due.',
  },
  WAITS_FOR_PAYER: {
    status: [409],
    meaning:
      'The payer has neither signed for the invoice nor bought what it charges. The payer can pay from the ledger at once, and an admin who did not raise the invoice; others from `details.from` on.',
  },
  PACKAGE_INACTIVE: {
    status: [409],
    meaning: 'The package is not sold any more. Choose another, or ask an admin.',
  },
  PACKAGE_USED: {
    status: [409],
    meaning: 'Flights have used the package, so its invoice stays. Credit what is left of it.',
  },
  PACKAGE_APPLIED: {
    status: [409],
    meaning: 'The lines of the invoice use a package, or charge one. Void the invoice and bill again.',
  },
  PREPAID_STANDS: {
    status: [409],
    meaning:
      'The prepaid price is charged, and the payer, guest or readings would change: void or credit the invoice, or cancel ' +
      'the booking. Or it was refunded, so that the booking cannot be restored: book again.',
  },
  RESERVATION_BILLED: {
    status: [409],
    meaning: 'The flight is billed. Void the invoice or reverse the ledger charge, then repeat.',
  },
  PREPAID_BY_STAFF: {
    status: [403],
    meaning:
      'Only desk staff and instructors can make a prepaid booking. Book without `prepaid_fixed`, ask the desk, or ' +
      'have an admin set `settings.prepaidBy`.',
  },
  OWN_MONEY: {
    status: [403],
    meaning:
      'The caller is the payer, or is on the flight, and acts with a desk grant or corrects a billed flight. Have ' +
      'another cashier or admin do it.',
  },
  NEEDS_REVIEW: {
    status: [409],
    meaning:
      'The billed flight cannot be corrected while its signatures stand; the message says why. Credit its invoices in ' +
      'full, reopen it, correct it and let the crew sign again.',
  },
  CORRECTED_TWICE: {
    status: [409],
    meaning:
      'The billed flight was corrected twice already. Credit its invoices in full, reopen it, correct it and let the ' +
      'crew sign again.',
  },
  ABOVE_CASHIER_LIMIT: {
    status: [403],
    meaning:
      'The cashier would take more than `settings.cashierMaxCents` of one payer in a day, or five times that in all. ' +
      '`details.leftCents` is what is left of it. Have an admin record the payment.',
  },
  CURRENCY_IN_USE: {
    status: [409],
    meaning:
      'The organization has invoices, customers, packages or ledger entries, so its currency can no longer change.',
  },
} as const satisfies Codes
