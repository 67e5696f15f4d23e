import { z } from 'zod'
import { fieldErrors } from '../field.errors.ts'
import { cents, inBasisPoints, inCents, inTenths, ZERO } from '../kernel/units.ts'
import { name } from '../text.schemas.ts'
import { controlKeys } from './loosened.rules.ts'

/** How charges are divided among the people of the paying side. */
export const chargeRules = ['one_payer', 'split_evenly'] as const

/** When flights are invoiced automatically: never, or after their sign-off. */
export const autoInvoiceModes = ['off', 'signed_off'] as const

/** Whether invoices are paid from the ledgers of their payers: never by themselves, on request of a mail that offers it, or by themselves. */
export const payFromLedgerModes = ['off', 'ask', 'auto'] as const

/** Who can make a booking at a price that is paid in advance. */
export const prepaidBy = ['staff', 'anyone'] as const

/** The charges of a flight. */
export const flightKinds = [
  ...(['aircraft', 'simulator', 'flight_instruction', 'sim_instruction', 'ground_instruction'] as const),
]

/**
 * The kinds of invoice line that are charges: those of a flight, packages, fees of enrollments and of cancellations, and other lines by
 * hand.
 */
const chargeKinds = [...flightKinds, ...(['package', 'enrollment_fee', 'cancellation_fee', 'other'] as const)]

const taxRate = z.object({
  name: name(60),
  basisPoints: inBasisPoints(z.int().min(0).max(10_000)).describe('Hundredths of a percent'),
  appliesTo: z
    .array(z.enum(chargeKinds).meta({ choices: 'TaxableLineKind' }))
    .max(chargeKinds.length)
    .default([])
    .describe('The kinds of line that are taxed. Empty: all'),
  locationIds: z
    .array(z.int().positive())
    .max(100)
    .default([])
    .describe('The locations where flights are taxed. Empty: everywhere, and lines that are not of a flight too'),
})

/** The settings of an organization for prices, invoices and balances. */
export const billingSettings = {
  overnightMinimumTenths: inTenths(z.int().min(0).max(1000))
    .default(ZERO)
    .describe('The minimum time that is billed for an aircraft, in tenths of an hour per night'),
  aircraftRateKind: z.enum(['wet', 'dry']).meta({ choices: 'AircraftRateKind' }).default('wet'),
  chargeRules: z
    .object({
      aircraft: z.enum(chargeRules).meta({ choices: 'ChargeRule' }).default('one_payer'),
      instruction: z.enum(chargeRules).default('one_payer'),
    })
    .prefault({}),
  taxRates: z
    .array(taxRate)
    .max(10)
    .default([])
    .describe('The taxes of new invoices. Each tax is computed separately. Prices of packages include them'),
  invoiceDueDays: z
    .int()
    .min(0)
    .max(365)
    .nullable()
    .default(null)
    .describe('The number of days from the invoice to its due date. null: no due date'),
  refundApprovalCents: inCents(z.int().min(0).max(100_000_000))
    .nullable()
    .default(null)
    .describe(
      'The largest refund, in cents, that needs no approval; null: no refund needs approval. Above it, a refund ' +
        'through the payment processor that somebody other than an admin causes waits for an admin. A credit note of ' +
        'an admin waits for a second admin when the refunds of that admin exceed this amount for one invoice, or for ' +
        'one payer on one day. A lower value takes effect immediately; a higher one or null takes effect after 24 ' +
        'hours (`upcoming`), and all owners get a mail',
    ),
  cashierMaxCents: inCents(z.int().min(100).max(10_000_000))
    .nullable()
    .default(cents(200_000))
    .describe(
      'The most that a holder of the grant `cashier` takes from one payer in a local day, in cents. The limit for ' +
        'all payers together is five times as high. null: no limit',
    ),
  upcoming: z
    .array(
      z.object({
        key: z.enum(controlKeys),
        value: z
          .union([inCents(z.int()), z.enum(prepaidBy)])
          .nullable()
          .describe('The future value; amounts are in cents, and null means that no refund needs approval'),
        from: z.iso.datetime(),
      }),
    )
    .default([])
    .describe(
      'Changes that make a setting less strict and take effect at `from`: a higher `refundApprovalCents` or null, a ' +
        'lower `minimumBalanceCents`, `prepaidBy: anyone`. Until then the old value applies. Sending another value for ' +
        'the setting replaces the change. All owners get a mail about each',
    ),
  defaultBillingMode: z.enum(['invoice', 'ledger']).default('invoice'),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, fieldErrors.currency())
    .default('usd')
    .describe(
      'ISO 4217 code in lower case, of a currency with two decimals. It cannot change once there are invoices, ' +
        'customers at the payment processor, packages or ledger entries',
    ),
  minimumBalanceCents: inCents(z.int().min(-100_000_000).max(100_000_000))
    .default(cents(0))
    .describe(
      'The minimum ledger balance, in cents, that a payer must have after a booking, when the rule `minimum_balance` ' +
        'is on, and after buying a package. A lower value takes effect after 24 hours (`upcoming`)',
    ),
  payFromLedger: z
    .enum(payFromLedgerModes)
    .default('ask')
    .describe(
      'Whether invoices are paid from the ledger of their payer. `ask`: the mail about an invoice says what the ' +
        'ledger has. `auto`: invoices raised from now on are paid from the ledger, the oldest first, before autopay: ' +
        'at once when the payer signed for them, 24 hours after a mail to the payer when somebody else raised them. ' +
        'Packages and disputed invoices are not paid in this way. Members with a balance are mailed when it becomes `auto`',
    ),
  autoInvoice: z
    .enum(autoInvoiceModes)
    .default('off')
    .describe('`signed_off`: when a flight is signed off, it is invoiced in the name of an owner'),
  autoInvoiceDelayMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .default(0)
    .describe(
      'Minutes between the last signature and the invoice. A flight that is reopened within this time is not invoiced',
    ),
}
