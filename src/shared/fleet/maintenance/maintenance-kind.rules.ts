/** Which inspection a maintenance item is, where a rule of the regulation asks for it by name. */
export const maintenanceKinds = ['annual', 'hundred_hour', 'elt', 'transponder', 'altimeter', 'vor', 'other'] as const
export type MaintenanceKind = (typeof maintenanceKinds)[number]

/** The words in a name, the first that stands in it counts: an "annual" of a part is not that of the aircraft. */
const words: readonly (readonly [RegExp, MaintenanceKind])[] = [
  [/\b(elt|locator)\b/i, 'elt'],
  [/transponder/i, 'transponder'],
  [/altimeter/i, 'altimeter'],
  [/\bvor\b/i, 'vor'],
  [/\b100[- ]?h(r|rs|our|ours)?\b/i, 'hundred_hour'],
  [/\bannual\b/i, 'annual'],
]

/** Returns the kind of a maintenance item by the words in its name; `other` without one. Implements interface §Maintenance. */
export function kindByName(name: string): MaintenanceKind {
  return words.find(([word]) => word.test(name))?.[1] ?? 'other'
}
