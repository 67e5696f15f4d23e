import type { Message } from './message.rules.ts'
import { dayInWords } from './when.rules.ts'

/** The facts of a signed training record for its message. */
export interface RecordTemplateData {
  id: number
  enrollmentId: number
  lesson: string
  grade: string | null
  signer: string
}

/**
 * Returns the message to the student about a record that the instructor has signed and the student has to countersign.
 */
export function recordToCountersign({ id, enrollmentId, lesson, grade, signer }: RecordTemplateData): Message {
  const sentences = [
    `${signer} signed the record of ${lesson}${grade ? ` (${grade})` : ''}.`,
    'Please check it and countersign it.',
  ]
  return {
    title: `Please countersign: ${lesson}`,
    body: sentences.join(' '),
    data: { recordId: id, enrollmentId },
    mail: { paragraphs: sentences, action: null },
  }
}

/** Why an endorsement counts for nothing, in words. */
const uncounted = {
  no_number: 'without the number of the signer’s certificate.',
  other_number: 'because its certificate number is not that of the signer’s profile.',
  certificate_ended: 'because the signer’s certificate had ended.',
  own: 'because members cannot endorse themselves.',
  disowned: 'because the named signer did not sign it.',
  not_confirmed: 'until the signer confirms it.',
  not_verified: 'until an admin verifies the document that shows it.',
} as const

/** The facts of an endorsement for its messages. Its last day is a day in `zone`. */
export interface EndorsementTemplateData {
  id: number
  title: string
  person: string
  /** Null when it is unsigned. */
  signer: string | null
  recorder: string
  /** Null when it counts, or is unsigned. */
  unprovenReason: keyof typeof uncounted | null
  expiresAt: Date | null
  zone: string
}

/** Returns the message to the endorsed person about a new endorsement, with its last day, or why it does not count. */
export function endorsementIssued(endorsement: EndorsementTemplateData): Message {
  const { id, title, signer, recorder, unprovenReason: reason, expiresAt, zone } = endorsement
  const sentences = [
    signer === null
      ? `${recorder} recorded an endorsement without a signature for you: ${title}.`
      : `${signer} endorsed you: ${title}.`,
    ...(signer === null ? ['It does not count without a signature.'] : []),
    ...(reason ? [`It does not count ${uncounted[reason]}`] : []),
    ...(expiresAt ? [`The endorsement is valid until ${dayInWords(expiresAt, zone)}.`] : []),
  ]
  return {
    title: `New endorsement: ${title}`,
    body: sentences.join(' '),
    data: { endorsementId: id },
    mail: { paragraphs: sentences, action: null },
  }
}

/** Returns the message to the instructor about an endorsement that another person recorded in the instructor's name. */
export function endorsementToConfirm({ id, title, person, recorder }: EndorsementTemplateData): Message {
  const sentences = [
    `${recorder} recorded an endorsement of ${person} in your name: ${title}.`,
    'It counts once you confirm it. If you did not sign it, disown it.',
  ]
  return {
    title: `Did you endorse ${person}? ${title}`,
    body: sentences.join(' '),
    data: { endorsementId: id },
    mail: { paragraphs: sentences, action: null },
  }
}

/** Returns the message to the endorsed person and the signer before an endorsement expires. */
export function endorsementExpiring({ id, title, person, expiresAt, zone }: EndorsementTemplateData): Message {
  const until = expiresAt ? ` on ${dayInWords(expiresAt, zone)}` : ''
  const sentence = `The endorsement “${title}” of ${person} expires${until}.`
  return {
    title: `Endorsement expires${until}: ${title}`,
    body: sentence,
    data: { endorsementId: id },
    mail: { paragraphs: [sentence], action: null },
  }
}

/** The facts of a passed knowledge test for its message. Its last day is a day in `zone`. */
export interface KnowledgeTestTemplateData {
  id: number
  enrollmentId: number | null
  student: string
  expiresAt: Date
  zone: string
}

/** Returns the message to the student and their instructor before a passed knowledge test expires. */
export function knowledgeTestExpiring(test: KnowledgeTestTemplateData): Message {
  const { id, enrollmentId, student, expiresAt, zone } = test
  const until = dayInWords(expiresAt, zone)
  const sentence = `The knowledge test of ${student} is valid until ${until}. The practical test must be completed by then.`
  return {
    title: `Knowledge test of ${student} expires on ${until}`,
    body: sentence,
    data: { testId: id, ...(enrollmentId !== null && { enrollmentId }) },
    mail: { paragraphs: [sentence], action: null },
  }
}

/** The facts of a planned practical test for its message. The open items are in words. */
export interface NotReadyTemplateData {
  enrollmentId: number
  student: string
  at: Date
  zone: string
  open: readonly string[]
}

/** Returns the message to the student and the instructor before a practical test for which the student is not ready. Only its mail names the items. */
export function testNotReady({ enrollmentId, student, at, zone, open }: NotReadyTemplateData): Message {
  const day = dayInWords(at, zone)
  const sentence = `${student} is not ready yet for the practical test on ${day}.`
  return {
    title: `Practical test on ${day}: not ready yet`,
    body: `${sentence} The readiness of the enrollment lists what is still missing.`,
    data: { enrollmentId },
    mail: { paragraphs: [`${sentence} Still open:`, ...open.map((item) => `– ${item}`)], action: null },
  }
}

/** The students of an instructor without a completed lesson, and for how many days. */
export interface StalledTemplateData {
  students: readonly { student: string; days: number }[]
}

/** The most students that one mail lists. */
const LISTED = 50

/** Returns the weekly message to an instructor about stalled students. Only its mail names them, and none says why they are. */
export function studentsStalled({ students }: StalledTemplateData): Message {
  const count = students.length
  const who = count === 1 ? 'One student has' : `${count} students have`
  const sentence = `${who} not completed a lesson for two weeks or longer.`
  const lines = students.slice(0, LISTED).map(({ student, days }) => `– ${student}: ${days} days`)
  const more = count > LISTED ? [`And ${count - LISTED} more.`] : []
  const report = 'The report on stalled students has the cause of each.'
  return {
    title: count === 1 ? 'One student is stalled' : `${count} students are stalled`,
    body: `${sentence} ${report}`,
    data: {},
    mail: {
      paragraphs: [sentence, ...lines, ...more, report],
      action: null,
      link: { label: 'Open the report', page: 'stalled-students' },
    },
  }
}
