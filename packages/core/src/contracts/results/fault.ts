/**
 * The party at fault for a failure. It determines how the failure is handled.
 *
 * - `model`: the call was wrong. The model gets corrective text.
 * - `world`: a temporary failure (network, exit code, timeout). Retried only if that is safe.
 * - `policy`: not allowed. Explained to the model and not retried unchanged.
 * - `host`: the host code failed. The operator gets all details, the model one sanitized line.
 * - `cancelled`: the call was cancelled. Not retried.
 */
export type Fault = 'model' | 'world' | 'policy' | 'host' | 'cancelled';
