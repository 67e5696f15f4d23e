import { z } from 'zod'
import type { AdHocInvoice, AdHocPayer } from '../../../shared/billing/invoices/create-ad-hoc.ts'
import { outsideMethods } from '../../../shared/billing/payments/payment.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { readingFromNumber } from '../../../shared/platform/kernel/hours.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import {
  Email,
  Id,
  InstantInput,
  MAX_CENTS,
  MemberReference,
  name,
  note,
  oneLine,
  properName,
  text,
} from '../../http/schemas.ts'

/** The quantity of a line, in its unit: above 0, at most two decimals. The parsed value is hundredths. */
const Quantity = z
  .number()
  .positive()
  .max(10_000)
  .transform((value, context) => {
    const hundredths = readingFromNumber(value)
    if (hundredths !== null) return hundredths
    context.addIssue(fieldErrors.atMostTwoDecimals())
    return z.NEVER
  })
  .meta({
    override: { type: 'number', exclusiveMinimum: 0, maximum: 10_000, multipleOf: 0.01 },
    unit: 'How many of `unit`',
  })

const UnitPrice = inCents(z.int().min(-MAX_CENTS).max(MAX_CENTS).describe('Cents; negative for a discount'))

const Item = z
  .object({
    description: note(500),
    quantity: Quantity.prefault(1),
    unit: name(40).default('piece'),
    unitPrice: UnitPrice,
  })
  .transform(({ quantity, ...item }) => ({ ...item, quantityHundredths: quantity }))

const ChangedItem = z
  .object({
    id: Id.nullish().describe(
      'The line of this invoice that is changed; it keeps its `kind`. null or absent: a new line',
    ),
    description: note(500),
    quantity: Quantity.prefault(1),
    unit: name(40).default('piece'),
    unitPrice: UnitPrice,
  })
  .transform(({ id, quantity, ...item }) => ({ ...item, id: id ?? undefined, quantityHundredths: quantity }))

const MOST_LINES = 100
const Memo = text(2000).trim()

const Customer = MemberReference
const Guest = z
  .object({
    guestId: Id.nullish().describe('A known guest. For a new one give `name` and `email` instead'),
    name: properName(200).nullish(),
    email: Email.nullish(),
    phone: oneLine(50).trim().nullish(),
  })
  .transform(({ guestId, name: called, email, phone }, context): AdHocPayer => {
    if (guestId != null) return { guestId }
    for (const [field, value] of Object.entries({ name: called, email })) {
      if (value == null) context.addIssue({ code: 'custom', path: [field], message: fieldErrors.requiredOfNewGuest() })
    }
    return { guest: { name: called ?? '', email: email ?? '', phone: phone ?? null } }
  })

export const InvoiceBody = z
  .object({
    customer: Customer.nullish().describe('The member who pays. Give exactly one of `customer` and `guest`'),
    guest: Guest.nullish().describe('The guest who pays: a known one, or a new one with name and email address'),
    memo: Memo.nullish(),
    items: z.array(Item).min(1).max(MOST_LINES),
    dueAt: InstantInput.nullish().describe('null: no due date. Default: `settings.invoiceDueDays` from now'),
    dueIn: z.int().min(0).max(3650).nullish().describe('Days from now until it is due; not together with `dueAt`'),
  })
  .transform(({ customer, guest, ...body }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (body.dueAt != null && body.dueIn != null) issue('dueIn', fieldErrors.notTogetherWith({ other: 'dueAt' }))
    const payer = customer ?? guest
    if (payer != null && (customer == null || guest == null)) return { ...body, payer }
    issue('customer', fieldErrors.givesOneOf({ choices: 'customer and guest' }))
    return z.NEVER
  })

const DAY_MS = 86_400_000

/** Returns the body of an invoice for something other than a flight as the input of the use case. */
export function toAdHoc(body: z.output<typeof InvoiceBody>, now: Date): AdHocInvoice {
  const { payer, memo = null, items, dueAt, dueIn } = body
  const due = dueIn == null ? dueAt : new Date(now.getTime() + dueIn * DAY_MS)
  return { payer, items, memo, ...(due !== undefined && { dueAt: due }) }
}

export const InvoicePatch = z
  .object({
    items: z
      .array(ChangedItem)
      .min(1)
      .max(MOST_LINES)
      .optional()
      .describe('All lines of the invoice; they replace the present ones'),
    memo: Memo.nullable().optional(),
    dueAt: InstantInput.nullable().optional(),
    paid: z.literal(true).optional().describe('Marks the invoice paid; not together with other changes'),
    paymentMethod: z
      .enum(outsideMethods)
      .meta({ choices: 'OutsidePaymentMethod' })
      .optional()
      .describe('Only with `paid`: the method of the payment. Default: `other`'),
  })
  .transform(({ paid, paymentMethod, ...changes }, context) => {
    const changed = Object.values(changes).some((value) => value !== undefined)
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (paid && changed) issue('paid', fieldErrors.changeFirst())
    if (!paid && paymentMethod) issue('paymentMethod', fieldErrors.goesWithPaid())
    return { ...changes, paidBy: paid ? (paymentMethod ?? 'other') : undefined }
  })

export const VoidBody = z.object({ reason: note(500) })

export const RefundBody = z.object({
  approved: z.boolean().describe('Whether the refund is made'),
  reason: note(500).optional(),
})

export const OfflineBody = z.object({ method: z.enum(['cash', 'check']) })
