/** Another run holds the claim: the job looks again after `waitMs`, without losing an attempt. */
export class DeliveryBusy extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('Another run is making this call.')
    this.name = 'DeliveryBusy'
    this.waitMs = waitMs
  }
}
