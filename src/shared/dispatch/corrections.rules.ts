import type { Sentence } from '../platform/kernel/errors.ts'
import type { CloseOutFigures } from '../scheduling/reservations/booking-parts.types.ts'
import { dispatchErrors } from './dispatch.errors.ts'

/** The figures of a close-out. */
export type Figures = CloseOutFigures

export type Figure = keyof Figures

/** The figures in a request to correct; a figure that is null or absent keeps its value. */
export type SentFigures = { [Name in Figure]?: Figures[Name] | undefined }

/** The problems of a correction, or all figures after it. `noChanges`: the figures equal the stored ones. */
export type CorrectionAnswer =
  | { problems: { field: string; message: Sentence }[] }
  | { problems: null; noChanges: boolean; figures: Figures }

/** Returns the readings of these figures by the names of the booking's columns. */
export function readingsOf({ hobbsTimeOut, hobbsTimeIn, tachTimeOut, tachTimeIn }: Figures) {
  return { hobbsOut: hobbsTimeOut, hobbsIn: hobbsTimeIn, tachOut: tachTimeOut, tachIn: tachTimeIn }
}

const figureNames: readonly Figure[] = ['hobbsTimeOut', 'hobbsTimeIn', 'tachTimeOut', 'tachTimeIn', 'briefing']

const halves: readonly (readonly [Figure, Figure])[] = [
  ['hobbsTimeOut', 'hobbsTimeIn'],
  ['tachTimeOut', 'tachTimeIn'],
]

/** Returns whether a correction shortens the time of a meter or the briefing. */
export function shortens(before: Figures, after: Figures): boolean {
  const spans = (figures: Figures) => [
    ...halves.map(([out, back]) => (figures[back] ?? 0) - (figures[out] ?? 0)),
    figures.briefing ?? 0,
  ]
  const earlier = spans(before)
  return spans(after).some((span, index) => span < earlier[index]!)
}

/**
 * Applies a correction to the stored figures. Problems are: no figure at all, a figure that the booking does not have, and one reading
 * of a meter without the other. When all sent figures equal the stored ones, a single reading is no problem.
 * `within`: the field of the body that has the figures; null when the body itself has them.
 * Implements interface §Reservations, updateReviewTimes.
 */
export function readCorrection(stored: Figures, sent: SentFigures, within: string | null = null): CorrectionAnswer {
  const fieldOf = (name: Figure) => (within === null ? name : `${within}.${name}`)
  const given = figureNames.filter((name) => sent[name] !== undefined && sent[name] !== null)
  if (given.length === 0) {
    return { problems: [{ field: within ?? 'body', message: dispatchErrors.nothingToCorrect() }] }
  }
  const notHeld = given.filter((name) => stored[name] === null)
  if (notHeld.length > 0) {
    const problems = notHeld.map(fieldOf).map((field) => ({ field, message: dispatchErrors.noSuchFigure({ field }) }))
    return { problems }
  }
  const figures = { ...stored, ...Object.fromEntries(given.map((name) => [name, sent[name]])) }
  if (given.every((name) => sent[name] === stored[name])) return { problems: null, noChanges: true, figures }
  const alone = halves.flatMap(([out, back]) => {
    if (given.includes(out) === given.includes(back)) return []
    const [one, other] = given.includes(out) ? [out, back] : [back, out]
    const [field, missing] = [fieldOf(one), fieldOf(other)]
    return [{ field, message: dispatchErrors.otherHalfMissing({ field, missing }) }]
  })
  return alone.length > 0 ? { problems: alone } : { problems: null, noChanges: false, figures }
}
