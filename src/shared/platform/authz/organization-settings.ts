import { z } from 'zod'
import { fieldErrors } from '../field.errors.ts'
import { hasCents } from '../kernel/money.ts'
import { platformErrors } from '../platform.errors.ts'
import { billingSettings, prepaidBy } from './billing-settings.ts'
import { bookingLimitSettings } from './booking-limit-settings.ts'
import { feeSettings } from './fee-settings.ts'
import { offerSettings } from './offer-settings.ts'
import { type Role, roles } from './roles.ts'
import {
  aircraftFileCategories,
  dispatchCheckModes,
  documentCategories,
  enforcements,
  overridingRoles,
} from './rule-settings.ts'

/** Minutes after local midnight; 1440 is the end of the day. */
const minute = z.int().min(0).max(1440)

const defaultCategories = [
  'weather',
  'maintenance',
  'illness',
  'instructor',
  'student',
  'no_show',
  'administrative',
  'other',
]

const categories = z.array(z.enum(documentCategories)).max(documentCategories.length).default([])

/** The settings of an organization for one rule of booking. */
const ruleSettings = z.object({
  enforcement: z.enum(enforcements),
  liftedWhenSupervised: z.boolean(),
  overridableBy: z.array(z.enum(overridingRoles)),
  blockedSince: z.string().describe('When `pilot_rating` first blocked. The service sets it once'),
})

/**
 * The settings of an organization, with the defaults of a new one. They are stored as JSON and always parsed with this
 * schema, so that a key that is added later has its default in every stored row.
 */
export const organizationSettings = z.object({
  flyingDayStartMinute: minute
    .nullable()
    .default(null)
    .describe('The start of the flying day, in minutes after local midnight. null means no limit'),
  flyingDayEndMinute: minute.nullable().default(null),
  cancellationNoticeHours: z
    .int()
    .min(0)
    .max(720)
    .default(0)
    .describe(
      'How many hours before its start a booking can be cancelled at the latest. 0 means no limit. Desk staff can ' +
        'cancel at any time',
    ),
  cancellationCategories: z
    .array(z.string().regex(/^[a-z0-9_]{1,40}$/, fieldErrors.category()))
    .min(1)
    .max(50)
    .default(defaultCategories),
  approvalRequired: z
    .object({ student: z.boolean().default(false), renter: z.boolean().default(false) })
    .prefault({})
    .describe('The roles whose bookings need a booking request'),
  aircraftApprovalRequired: z.boolean().default(false),
  overridesNeedPaper: z
    .boolean()
    .default(false)
    .describe(
      'Whether an override of `pilot_rating` or `endorsement` names the document of the paper that was seen. `true` in ' +
        'a new organization; owners are mailed when it is turned off',
    ),
  instructorsApprove: z
    .boolean()
    .default(false)
    .describe('Whether instructors, like admins, can approve members on aircraft'),
  ...billingSettings,
  reminderIntervalHours: z
    .int()
    .min(1)
    .max(720)
    .default(24)
    .describe('The minimum number of hours between two reminders of one invoice'),
  upcomingReminderHours: z
    .int()
    .min(0)
    .max(336)
    .default(24)
    .describe('How many hours before its start the people on a booking are reminded. 0 sends no reminders'),
  requiredDocuments: z
    .object(Object.fromEntries(roles.map((role) => [role, categories])) as Record<Role, typeof categories>)
    .prefault({})
    .describe('For each role, the categories of documents that its members need'),
  requireVerifiedDocuments: z
    .boolean()
    .default(false)
    .describe('Whether required documents count only when desk staff verified them'),
  ...bookingLimitSettings,
  ...offerSettings,
  ...feeSettings,
  shopHours: z
    .object({
      startMinute: minute,
      endMinute: minute,
      days: z.array(z.int().min(1).max(7)).min(1).max(7).describe('1 is Monday, 7 is Sunday'),
    })
    .refine(({ startMinute, endMinute }) => endMinute - startMinute >= 60, {
      path: ['endMinute'],
      message: fieldErrors.after({ other: 'startMinute' }),
    })
    .meta({ id: 'ShopHours' })
    .default({ startMinute: 480, endMinute: 1020, days: [1, 2, 3, 4, 5] })
    .describe('When maintenance is done, at least an hour, in minutes after local midnight of the organization'),
  rules: z
    .record(z.string(), ruleSettings.partial())
    .default({})
    .describe('The settings of booking rules by key, as set with `PATCH /rules/{key}`'),
  dispatchChecks: z
    .enum(dispatchCheckModes)
    .default('warn')
    .describe(
      'What the release checks do at ramp-out: nothing (`off`), warn (`warn`), or refuse the ramp-out when a check ' +
        'blocks it (`block`)',
    ),
  prepaidBy: z
    .enum(prepaidBy)
    .default('staff')
    .describe(
      'Who can book at a price that is paid in advance: `staff`, so that members do not set their own price, or ' +
        '`anyone` who may make the booking. `anyone` takes effect after 24 hours (`upcoming`)',
    ),
  deskRamps: z
    .boolean()
    .default(false)
    .describe('Whether desk staff can ramp out and in bookings that they are not on'),
  rampOutLeadMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .default(240)
    .describe('A ramp-out earlier than this before the start gives a warning'),
  requiredAircraftFiles: z
    .array(z.enum(aircraftFileCategories))
    .max(aircraftFileCategories.length)
    .default([])
    .describe('The categories of files that an aircraft needs for a release, unexpired'),
  airAgencyCertificate: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(/^[A-Za-z0-9 ./-]+$/, fieldErrors.certificateNumber())
    .nullable()
    .default(null)
    .describe(
      'The number of the school’s air agency certificate (14 CFR Part 141), printed on its certificates (141.95(b)(1))',
    ),
  stripeAccountId: z
    .string()
    .regex(/^acct_\w{1,100}$/)
    .nullable()
    .default(null)
    .describe('The connected account at the payment processor; null without one'),
  stripeAccountReady: z
    .boolean()
    .default(false)
    .describe('Whether the connected account can take payments. Until then no invoices go through it'),
})

/** The settings that a change of the settings cannot contain. */
const readOnly = ['stripeAccountId', 'stripeAccountReady', 'rules', 'upcoming'] as const

export type OrganizationSettings = z.infer<typeof organizationSettings>

/** Returns the stored settings with every default filled in. */
export function readSettings(stored: unknown): OrganizationSettings {
  return organizationSettings.parse(stored ?? {})
}

/**
 * A partial change of the settings; nested objects can be partial too. Without the settings that have endpoints of their own
 * or that the service derives.
 */
export type SettingsPatch = Partial<{
  [Key in Exclude<keyof OrganizationSettings, (typeof readOnly)[number]>]: OrganizationSettings[Key] extends Record<
    string,
    unknown
  >
    ? Partial<OrganizationSettings[Key]>
    : OrganizationSettings[Key]
}>

/** The schema of a change: every key is optional, and no default is filled in. Only numbers are described. */
export const settingsPatch = withoutDefaults(
  organizationSettings.omit({ stripeAccountId: true, stripeAccountReady: true, rules: true, upcoming: true }),
) as z.ZodType<SettingsPatch>

/**
 * Merges a change into the stored settings, key by key. Returns the merged settings. Refuses a flying day that would not
 * end after it starts, and a new currency without cents.
 */
export function mergeSettings(stored: Record<string, unknown>, patch: SettingsPatch): Record<string, unknown> {
  const merged = mergeKeys(stored, patch)
  const { flyingDayStartMinute: start, flyingDayEndMinute: end } = readSettings(merged)
  if (start !== null && end !== null && start >= end) throw platformErrors.flyingDayReversed()
  const { currency } = patch
  if (currency !== undefined && currency !== readSettings(stored).currency && !hasCents(currency)) {
    throw platformErrors.currencyUnknown()
  }
  return merged
}

function mergeKeys(stored: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...stored }
  for (const [key, value] of Object.entries(patch)) {
    const before = stored[key]
    merged[key] = isObject(value) ? mergeKeys(isObject(before) ? before : {}, value) : value
  }
  return merged
}

function withoutDefaults(settings: z.ZodObject): z.ZodObject {
  const fields = Object.entries(settings.shape).map(([key, given]) => {
    const field = given as z.ZodType
    const bare = field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? (field.unwrap() as z.ZodType) : field
    const open = (bare instanceof z.ZodObject ? withoutDefaults(bare) : bare).optional()
    // What a key means stands at the organization; a number says its unit in the change too.
    return [key, field.description && isNumber(bare) ? open.describe(field.description) : open]
  })
  return z.object(Object.fromEntries(fields))
}

function isNumber(schema: z.ZodType): boolean {
  return schema instanceof z.ZodNumber || (schema instanceof z.ZodNullable && isNumber(schema.unwrap() as z.ZodType))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
