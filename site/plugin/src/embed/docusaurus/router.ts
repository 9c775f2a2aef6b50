/** Within its page alone: the browser goes to any other, and to the passage there. */
export const useHistory = () => ({ push: (path: string) => history.pushState(null, "", path) });

export const useLocation = () => location;
