/** A history that remembers where it was sent. */
export const visited: string[] = [];

export const useHistory = () => ({ push: (path: string) => visited.push(path) });
export const useLocation = () => location;
