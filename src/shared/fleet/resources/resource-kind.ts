/** The kinds of resource. The kind of a resource never changes. */
export const resourceKinds = ['plane', 'simulator', 'room'] as const

export type ResourceKind = (typeof resourceKinds)[number]

export const planeCategories = ['airplane', 'helicopter', 'glider', 'other'] as const
export const fuelUnits = ['gallons', 'liters', 'pounds'] as const
/** Full flight simulator, flight training device, advanced and basic aviation training device. */
export const deviceKinds = ['ffs', 'ftd', 'aatd', 'batd'] as const

/** The fields of one kind of resource only: the inner fields of the `type` object. */
export interface ResourceTraits {
  engines?: 1 | 2
  category?: (typeof planeCategories)[number]
  /** The class as on the pilot certificate, such as `single_engine_land`. */
  class?: string | null
  /** The unit of the aircraft's fuel figures. */
  fuelUnits?: (typeof fuelUnits)[number]
  deviceKind?: (typeof deviceKinds)[number] | null
  seats?: number | null
}
