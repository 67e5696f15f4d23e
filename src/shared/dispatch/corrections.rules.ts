/** The figures of a close-out: readings in hundredths of an hour, the briefing in tenths; null is not held. */
export interface Figures {
  hobbsTimeOut: number | null
  hobbsTimeIn: number | null
  tachTimeOut: number | null
  tachTimeIn: number | null
  briefing: number | null
}

export type Figure = keyof Figures

/** The figures that a correction gives; null and left out both leave one as it is. */
export type SentFigures = { [Name in Figure]?: number | null | undefined }

/** What a correction comes to: what stands in its way, or the figures as they will be (equal ones: `noChanges`). */
export type CorrectionAnswer =
  | { problems: { field: string; message: string }[] }
  | { problems: null; noChanges: boolean; figures: Figures }

const figureNames: readonly Figure[] = ['hobbsTimeOut', 'hobbsTimeIn', 'tachTimeOut', 'tachTimeIn', 'briefing']

const halves: readonly (readonly [Figure, Figure])[] = [
  ['hobbsTimeOut', 'hobbsTimeIn'],
  ['tachTimeOut', 'tachTimeIn'],
]

/**
 * Reads a correction against the figures that a booking holds. Refused are a body with no figure, a figure that the
 * booking does not hold, and one half of a meter without the other. A body equal to what is stored changes nothing, and
 * is not asked for the other half.
 */
export function readCorrection(stored: Figures, sent: SentFigures): CorrectionAnswer {
  const given = figureNames.filter((name) => sent[name] !== undefined && sent[name] !== null)
  if (given.length === 0) return { problems: [{ field: 'body', message: 'There is nothing to correct.' }] }
  const notHeld = given.filter((name) => stored[name] === null)
  if (notHeld.length > 0) {
    return { problems: notHeld.map((field) => ({ field, message: `${field}: this booking holds no such figure` })) }
  }
  const figures = { ...stored, ...Object.fromEntries(given.map((name) => [name, sent[name]])) }
  if (given.every((name) => sent[name] === stored[name])) return { problems: null, noChanges: true, figures }
  const alone = halves.flatMap(([out, back]) => {
    if (given.includes(out) === given.includes(back)) return []
    const [field, missing] = given.includes(out) ? [out, back] : [back, out]
    return [{ field, message: `${field}: send ${missing} with it` }]
  })
  return alone.length > 0 ? { problems: alone } : { problems: null, noChanges: false, figures }
}
