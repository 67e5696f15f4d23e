/** The names of the make and model of an aircraft. */
export interface MakeAndModel {
  make?: string | null | undefined
  model?: string | null | undefined
  /** The names that the school gave; empty: the names by default. */
  endorsedAs: readonly string[]
}

/** An aircraft of a school. `plain`: a single-engine airplane that is no complex, high-performance or tailwheel one, without a type rating. */
export interface NamedAircraft extends MakeAndModel {
  plain: boolean
}

/** Returns a name in lower case, letters and digits only, so that spellings compare. */
export function modelKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/**
 * Returns the names of the make and model of an aircraft in endorsements and logs: those that the school gave, or else `make model`
 * and `model`, and for a plain airplane also the short ones, without what follows the number of the model. `unlike` are the
 * school's aircraft that are not plain: a short name that one of them shares is no default. Implements interface §Resource.
 */
export function namesOf(aircraft: NamedAircraft, unlike: readonly MakeAndModel[]): string[] {
  if (aircraft.endorsedAs.length > 0) return [...aircraft.endorsedAs]
  const shared = aircraft.plain ? new Set(unlike.flatMap(everyNameOf).map(modelKey)) : null
  const short = shared ? shortNames(aircraft).filter((name) => !shared.has(modelKey(name))) : []
  const byKey = new Map([...fullNames(aircraft), ...short].reverse().map((name) => [modelKey(name), name]))
  return [...byKey.values()].reverse()
}

/** Returns the keys of the names of an aircraft. */
export function modelKeysOf(aircraft: NamedAircraft, unlike: readonly MakeAndModel[] = []): string[] {
  return namesOf(aircraft, unlike).map(modelKey)
}

/**
 * Returns the aircraft of a school by id, each with what its make and model is called and the keys of all its names. `fleet` is all of
 * its airplanes.
 */
export function byNames<Aircraft extends { id: number; named: NamedAircraft }>(fleet: readonly Aircraft[]) {
  const unlike = fleet.filter(({ named }) => !named.plain).map(({ named }) => named)
  return new Map(
    fleet.map(({ id, named, ...aircraft }) => {
      const [model = null] = namesOf(named, unlike)
      return [id, { ...aircraft, model, modelKeys: modelKeysOf(named, unlike) }]
    }),
  )
}

function everyNameOf(aircraft: MakeAndModel): string[] {
  return [...aircraft.endorsedAs, ...fullNames(aircraft), ...shortNames(aircraft)]
}

function fullNames({ make, model }: MakeAndModel): string[] {
  return named([both(make, model), model ?? ''])
}

/** Returns “Cessna 172”, “172” and “C172” for a Cessna 172S Skyhawk; nothing for a model without a number. */
function shortNames({ make, model }: MakeAndModel): string[] {
  const [short, number] = model?.match(/^\D*(\d+)/) ?? []
  if (short === undefined || number === undefined) return []
  const letter = make?.trim().charAt(0) ?? ''
  return named([both(make, short), short, letter && `${letter.toUpperCase()}${number}`])
}

function both(make: string | null | undefined, model: string | null | undefined): string {
  return [make, model].filter((word) => word?.trim()).join(' ')
}

function named(names: readonly string[]): string[] {
  return names.filter((name) => modelKey(name) !== '')
}
