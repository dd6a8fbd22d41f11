-- The tables as existing installations of the tutorial have them, and the pair's.

CREATE TABLE login (
    IdUser   int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    username varchar(45) DEFAULT NULL,
    pass     varchar(45) DEFAULT NULL
) ENGINE=MyISAM DEFAULT CHARSET=latin1;

CREATE TABLE photos (
    IdPhoto int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    title   varchar(100) DEFAULT NULL,
    IdUser  int DEFAULT NULL
) ENGINE=MyISAM DEFAULT CHARSET=latin1;

CREATE TABLE users (
    id       int NOT NULL AUTO_INCREMENT PRIMARY KEY,
    username varchar(50) NOT NULL,
    password varchar(100) NOT NULL,
    UNIQUE KEY username (username)
) ENGINE=InnoDB DEFAULT CHARSET=latin1;
