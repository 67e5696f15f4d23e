/**
 * Who signs an endorsement according to the advisory circular. Signers whose kind ends in `_instructor` can sign in
 * this service.
 */
export type Signer =
  | 'flight_instructor'
  | 'flight_or_ground_instructor'
  | 'instrument_instructor'
  | 'other_flight_instructor'
  | 'subpart_h_instructor'
  | 'robinson_instructor'
  | 'nvg_instructor'
  | 'instructor_pilot'
  | 'tow_pilot'
  | 'examiner'
  | 'examiner_or_inspector'
  | 'inspector_or_authorized_person'
  | 'institution'
  | 'training_provider'

/** How long an endorsement is valid: local days, calendar months, or a single flight; null for no end. */
export type Validity = { days: number } | { calendarMonths: number } | { singleFlight: true } | null

/** The permission or recency that a signature renews. */
export type Renewal =
  | 'solo'
  | 'solo_night'
  | 'solo_airspace'
  | 'flight_review'
  | 'instrument'
  | 'ground_instructor'
  | 'sfar73_r22'
  | 'sfar73_r44'

/** The parameters of templates: the placeholders in their texts, except the student's name. */
export const endorsementParameters = [
  'airport',
  'airspace',
  'category',
  'certificate',
  'certificateGrade',
  'certificateNumber',
  'class',
  'conditions',
  'date',
  'document',
  'documentNumber',
  'dueDate',
  'flightHours',
  'groundHours',
  'institution',
  'landingAirports',
  'launchMethod',
  'limitations',
  'makeAndModel',
  'operations',
  'organization',
  'otherAirport',
  'paragraph',
  'phase',
  'route',
  'test',
  'towedVehicle',
  'trainedOn',
  'trainingKind',
  'type',
] as const
export type EndorsementParameter = (typeof endorsementParameters)[number]

/** The values of a template's placeholders, by name. */
export type EndorsementParameters = Readonly<Record<string, string>>

/**
 * The template of an endorsement. It has the number of AC 61-65; the text is written for this service and contains
 * `{{placeholders}}`. The instructor can edit the text before signing; the signed text is stored.
 */
export interface EndorsementTemplate {
  /** The number of the endorsement in the edition. */
  code: string
  title: string
  /** The regulations: first the one that the circular cites, then the related ones. */
  rules: readonly string[]
  subject: string
  signer: Signer
  validity: Validity
  /**
   * The start of the validity: the day of the signature, or of the training, review or check that the endorsement
   * attests.
   */
  countsFrom: 'signature' | 'training'
  parameters: readonly EndorsementParameter[]
  /** The code of the same endorsement in AC 61-65H; null when that edition has none. */
  previousCode: string | null
  renews: Renewal | null
  /** Whether the regulation excludes airplanes and helicopters, for which it requires a practical test. */
  notForAirplanesOrHelicopters?: true
  text: string
}

/** What most templates have: no end, counted from the signature, new in this edition, and no renewal. */
const usual = {
  validity: null,
  countsFrom: 'signature',
  previousCode: null,
  renews: null,
} as const satisfies Partial<EndorsementTemplate>

/** Returns templates that have the usual value of each property that they do not state. */
export function endorsementTemplates(
  templates: readonly (Omit<EndorsementTemplate, keyof typeof usual> & Partial<EndorsementTemplate>)[],
): readonly EndorsementTemplate[] {
  return templates.map((template) => ({ ...usual, ...template }))
}
