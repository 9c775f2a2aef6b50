/**
 * A way to import the file of that address, again after it failed: a browser may keep a failed import for as long as
 * the page stands, so another address is tried then.
 */
export function importer<Module>(address: string): () => Promise<Module> {
  let tries = 0;
  return async () => {
    try {
      return await import(tries ? `${address}?${tries}` : address);
    } catch (error) {
      tries++;
      throw error;
    }
  };
}
