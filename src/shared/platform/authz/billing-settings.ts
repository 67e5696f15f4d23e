import { z } from 'zod'
import { fieldErrors } from '../field.errors.ts'
import { cents, inBasisPoints, inCents, inTenths, ZERO } from '../kernel/units.ts'
import { name } from '../text.schemas.ts'

/** How charges are divided among the people of the paying side. */
export const chargeRules = ['one_payer', 'split_evenly'] as const

/** When flights are invoiced without anybody asking for it. */
export const autoInvoiceModes = ['off', 'signed_off'] as const

/** The charges of a flight. */
export const flightKinds = [
  ...(['aircraft', 'simulator', 'flight_instruction', 'sim_instruction', 'ground_instruction'] as const),
]

/** The kinds of invoice line that are charges: of a flight, what is paid in advance, a course's fee, and lines by hand. */
const chargeKinds = [...flightKinds, ...(['package', 'enrollment_fee', 'other'] as const)]

const taxRate = z.object({
  name: name(60).meta({ examples: ['Sales tax'] }),
  basisPoints: inBasisPoints(z.int().min(0).max(10_000))
    .describe('Hundredths of a percent')
    .meta({ examples: [725] }),
  appliesTo: z
    .array(z.enum(chargeKinds))
    .max(chargeKinds.length)
    .default([])
    .describe('The kinds of line; empty: all')
    .meta({ examples: [['aircraft', 'simulator']] }),
  locationIds: z
    .array(z.int().positive())
    .max(100)
    .default([])
    .describe('Where a flight is taxed; empty: anywhere, and what is no flight too')
    .meta({ examples: [[]] }),
})

/** The settings of an organization for prices, invoices and balances. */
export const billingSettings = {
  overnightMinimumTenths: inTenths(z.int().min(0).max(1000)).default(ZERO).describe('Tenths of an hour a night'),
  aircraftRateKind: z.enum(['wet', 'dry']).default('wet'),
  chargeRules: z
    .object({
      aircraft: z.enum(chargeRules).default('one_payer'),
      instruction: z.enum(chargeRules).default('one_payer'),
    })
    .prefault({}),
  taxRates: z
    .array(taxRate)
    .max(10)
    .default([])
    .describe('Added to invoices that are raised from now on, each by itself; prices of packages include them')
    .meta({ examples: [[]] }),
  invoiceDueDays: z.int().min(0).max(365).nullable().default(null).describe('null: no due date'),
  refundApprovalCents: inCents(z.int().min(0).max(100_000_000))
    .nullable()
    .default(null)
    .describe(
      'A refund to a card above it that others than admins cause waits for an admin; that of a credit note waits for another ' +
        'admin than asks for it, when they give back more than this of one invoice, or to one payer on one day, in cents; null: none ' +
        'waits. A lower limit holds at once; a higher one, or none, 24 hours later (`upcoming`). All owners are mailed of that',
    )
    .meta({ examples: [50_000] }),
  upcoming: z
    .array(
      z.object({
        key: z.literal('refundApprovalCents'),
        value: inCents(z.int())
          .nullable()
          .describe('In cents; null: none waits')
          .meta({ examples: [100_000] }),
        from: z.iso.datetime().meta({ examples: ['2026-11-27T15:00:00.000Z'] }),
      }),
    )
    .default([])
    .describe(
      'Controls that were loosened and hold from an instant on; until then the setting says what holds. Another value of the ' +
        'setting, sent before, takes its place',
    )
    .meta({ examples: [[]] }),
  defaultBillingMode: z.enum(['invoice', 'ledger']).default('invoice'),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, fieldErrors.currency())
    .default('usd')
    .describe('ISO 4217, lower case, with two decimals; set for good once somebody was billed'),
  minimumBalanceCents: inCents(z.int().min(-100_000_000).max(100_000_000))
    .default(cents(0))
    .describe('The least balance of the ledger that a booking leaves, where the rule `minimum_balance` asks for it')
    .meta({ examples: [0] }),
  autoInvoice: z
    .enum(autoInvoiceModes)
    .default('off')
    .describe('`signed_off`: a flight is invoiced when it is signed off, in the name of an owner'),
  autoInvoiceDelayMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .default(0)
    .describe('How long after the last signature; a flight that is reopened meanwhile is not invoiced'),
}
